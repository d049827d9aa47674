import type { IncomingMessage } from "node:http";
import { AppError, invalidRequest, notFound } from "@/lib/errors";
import type { RouteHandler } from "@/lib/platform/http/route";
import { adviceOn, hasRepeatedSlashes, isApiPath } from "@/lib/platform/http/unknown-path";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const OF_API = /^\/(?:v1|api)(?:\/|$)/;

type Module = Partial<Record<string, RouteHandler>>;

/** The methods that a path has, as an `allow` header lists them; empty for a path that isn't there. */
export function allowedMethods(module: Module | undefined): string {
  const own = METHODS.filter((method) => module?.[method] && !module[method].facts.rejects);
  const all = [...own, ...(own.includes("GET") ? ["HEAD"] : []), "OPTIONS"];
  return own.length > 0 ? METHODS.filter((method) => all.includes(method)).join(", ") : "";
}

/** Requests that Next would answer with a page, or not at all, although their client expects JSON. Null for all others. */
export function rejectEarly(
  { method = "", headers }: Pick<IncomingMessage, "method" | "headers">,
  pathname: string,
  findModule: (pathname: string) => Module | undefined,
): AppError | null {
  const isOfApi = OF_API.test(pathname);
  if (isOfApi && !isWellEncoded(pathname)) {
    return invalidRequest(
      "The path has a malformed percent-encoding. Write '%' as %25, and other bytes as '%' with two hex digits.",
    );
  }
  if (!METHODS.includes(method)) {
    const allow = allowedMethods(findModule(pathname)) || METHODS.join(", ");
    const message = `The method ${method} isn't supported. Use ${allow}.`;
    return new AppError("method_not_allowed", message, { headers: { allow } });
  }
  if (
    method === "OPTIONS" &&
    /^\/v1(?:\/|$)/.test(pathname) &&
    !allowedMethods(findModule(pathname))
  ) {
    return notFound(`There is no ${pathname}. ${adviceOn(pathname)}`);
  }
  const isRepeated = hasRepeatedSlashes(pathname) && !headers.accept?.includes("text/html");
  const isOther = !isOfApi && isApiPath(pathname) && expectsJson(headers);
  if (isRepeated || isOther) {
    return notFound(`There is no ${pathname}. ${adviceOn(pathname)}`);
  }
  return null;
}

/** What an API client sends, and a browser that opens a page doesn't. */
function expectsJson({
  authorization,
  accept,
  "content-type": type,
  rsc,
}: IncomingMessage["headers"]): boolean {
  const takesJson = accept?.includes("application/json") && !accept.includes("text/html");
  return (
    rsc === undefined &&
    Boolean(
      /^bearer /i.test(authorization ?? "") || takesJson || /^application\/json/.test(type ?? ""),
    )
  );
}

export function isWellEncoded(pathname: string): boolean {
  try {
    // A bundler drops a call whose result nobody uses.
    return decodeURIComponent(pathname) !== "";
  } catch {
    return false;
  }
}
