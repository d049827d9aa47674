/** Ids as the product mints them, and nothing that looks like a key's secret. */
const OWN_ID = /^(?:[a-z]{2,10}_|chatcmpl-)[0-9a-z]{26}$/;
/** The names of our folders. */
const FOLDER = /^[a-z0-9][a-z0-9.-]{0,39}$/;
const OTHER = "other";

export interface RouteName {
  /** The path's template, such as `/v1/kb/jobs/{job_id}`; one of as many as there are routes. */
  route: string;
  /** The path, where nobody could have put anything into it but ids of ours. */
  path?: string;
}

/** Names the route of a request by its path and the params that the host read out of it. */
export function routeName(url: string, params: object): RouteName {
  const path = pathOf(url);
  const parts = path.split("/").slice(1).map(decoded);
  // From the right: what stands before a param is a folder of ours, what stands behind it may be.
  for (const [name, value] of Object.entries(params).reverse()) {
    const at = Array.isArray(value) ? parts.length - value.length : parts.lastIndexOf(value);
    if (at < 0) {
      return { route: OTHER };
    }
    parts.splice(at, Array.isArray(value) ? value.length : 1, `{${name}}`);
  }
  if (!parts.every((part) => part.startsWith("{") || FOLDER.test(part))) {
    return { route: OTHER };
  }
  const route = `/${parts.join("/")}`;
  const isOurs = Object.values(params).every((value) => OWN_ID.test(String(value)));
  return isOurs ? { route, path } : { route };
}

function pathOf(url: string): string {
  return /^[^/]*\/\/[^/]*([^?#]*)/.exec(url)?.[1] ?? url;
}

function decoded(part: string): string {
  try {
    return part.includes("%") ? decodeURIComponent(part) : part;
  } catch {
    return part;
  }
}
