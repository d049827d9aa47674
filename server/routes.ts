import type { RouteHandler } from "@/lib/http/route";

/** Methods a route file may export; the host handles the others. */
export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export type RouteModule = Partial<Record<string, RouteHandler>>;

type Params = Record<string, string | string[]>;

export interface Match<T> {
  module: T;
  params: Params;
}

interface Pattern<T> {
  parts: readonly string[];
  module: T;
  /** The most specific match wins: the one with the fewest wildcards. */
  openness: number;
}

const REST = /^\[?\[\.\.\.([^\]]+)\]\]?$/;
const NAME = /^\[([^\]]+)\]$/;
/** More than the parts of any path: a catch-all is less specific than any number of names. */
const REST_OPENNESS = 100;

/**
 * Next's app-folder rule for route files: the folder path below `app` is the URL. Like Next, it decodes params except in a
 * catch-all.
 */
export function routeTable<T>(files: Record<string, T>): (pathname: string) => Match<T> | null {
  const patterns = Object.entries(files)
    .map(([file, module]) => toPattern(file, module))
    .toSorted((a, b) => a.openness - b.openness);
  const exact = new Map(
    patterns
      .filter(({ openness }) => openness === 0)
      .map(({ parts, module }) => [`/${parts.join("/")}`, { module, params: {} }]),
  );
  const open = patterns.filter(({ openness }) => openness > 0);
  return (pathname) => {
    const known = exact.get(pathname);
    if (known) {
      return known;
    }
    const segments = pathname.split("/").slice(1);
    for (const { parts, module } of open) {
      const params = match(parts, segments);
      if (params) {
        return { module, params };
      }
    }
    return null;
  };
}

function toPattern<T>(file: string, module: T): Pattern<T> {
  const parts = file
    .replace(/^.*?\/app\//, "")
    .replace(/\/route\.ts$/, "")
    .split("/");
  const openness = parts.reduce((sum, part, index) => {
    const rest = REST.test(part) ? REST_OPENNESS - index : 0;
    return sum + rest + Number(NAME.test(part) && !rest);
  }, 0);
  return { parts, module, openness };
}

function match(parts: readonly string[], segments: readonly string[]): Params | null {
  const params: Params = {};
  for (const [index, part] of parts.entries()) {
    const rest = REST.exec(part)?.[1];
    const segment = segments[index];
    if (segment === undefined && !part.startsWith("[[")) {
      return null;
    }
    if (rest) {
      params[rest] = segments.slice(index);
      return params;
    }
    const name = NAME.exec(part)?.[1];
    if (name) {
      params[name] = decodeURIComponent(segment ?? "");
    } else if (part !== segment) {
      return null;
    }
  }
  return parts.length === segments.length ? params : null;
}
