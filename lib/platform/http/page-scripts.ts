import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;

const BUILD_FOLDER = path.resolve(/* turbopackIgnore: true */ ".next");

/** A CSP source expression for an inline script. */
export function hashSource(script: string): string {
  return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
}

/**
 * Finds the inline scripts' hashes of prerendered pages, which can't contain a per-request nonce. Returns null for pages
 * rendered on request.
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

/** Empty in development, where every page is rendered on request. */
function readPaths(folder: string): string[] {
  const manifest = path.join(folder, "prerender-manifest.json");
  return existsSync(manifest)
    ? Object.keys(JSON.parse(readFileSync(manifest, "utf8")).routes ?? {})
    : [];
}

/** Null for prerendered routes that aren't pages, such as the sitemap. */
function readScripts(folder: string, pathname: string): readonly string[] | null {
  const name = pathname === "/" ? "index" : pathname.slice(1);
  const file = path.join(folder, "server/app", `${name}.html`);
  if (!existsSync(file)) {
    return null;
  }
  const scripts = readFileSync(file, "utf8").matchAll(INLINE_SCRIPT);
  return [...new Set([...scripts].map(([, script = ""]) => hashSource(script)))];
}
