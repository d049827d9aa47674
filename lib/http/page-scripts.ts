import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;

/** The build of the running product. */
const BUILD_FOLDER = path.resolve(/* turbopackIgnore: true */ ".next");

/** The source by which a policy names a script within a page. */
export function hashSource(script: string): string {
  return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
}

/**
 * Names the scripts within the pages that were rendered when the product was built: no request's nonce can stand in
 * those. `find` gives null for a page that is rendered for each request.
 */
export function builtPages(folder = BUILD_FOLDER): (pathname: string) => readonly string[] | null {
  const paths = new Set(readPaths(folder));
  const known = new Map<string, readonly string[] | null>();
  return (pathname) => {
    if (!paths.has(pathname)) {
      return null;
    }
    const found = known.get(pathname) ?? readScripts(folder, pathname);
    known.set(pathname, found);
    return found;
  };
}

/** None in development, where every page is rendered for its request. */
function readPaths(folder: string): string[] {
  const manifest = path.join(folder, "prerender-manifest.json");
  return existsSync(manifest)
    ? Object.keys(JSON.parse(readFileSync(manifest, "utf8")).routes ?? {})
    : [];
}

/** Null for what was built and is no page, such as the sitemap. */
function readScripts(folder: string, pathname: string): readonly string[] | null {
  const file = path.join(
    folder,
    "server/app",
    `${pathname === "/" ? "index" : pathname.slice(1)}.html`,
  );
  if (!existsSync(file)) {
    return null;
  }
  const scripts = readFileSync(file, "utf8").matchAll(INLINE_SCRIPT);
  return [...new Set([...scripts].map(([, script = ""]) => hashSource(script)))];
}
