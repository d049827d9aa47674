import path from "node:path";
import { LOCAL_ADDRESS } from "./local-address";
import { addressOfFile } from "./pages";

/**
 * Maps a page's link to the site: repository files become their pages, and localhost links become relative.
 * Null for a file that isn't on the site.
 */
export function siteAddress(href: string, file: string): string | null {
  if (href === LOCAL_ADDRESS || href.startsWith(`${LOCAL_ADDRESS}/`)) {
    return href.slice(LOCAL_ADDRESS.length) || "/";
  }
  if (href.startsWith("#") || /^[a-z]+:/i.test(href)) {
    return href;
  }
  const [target = "", fragment] = href.split("#");
  const address = addressOfFile(path.posix.join(path.posix.dirname(file), target));
  return address && fragment ? `${address}#${fragment}` : address;
}

/** The Markdown version of a page, with links and samples that use `origin`. */
export function portableMarkdown(
  markdown: string,
  { file, origin }: { file: string; origin: string },
): string {
  return markdown
    .replaceAll(/\]\(([^()\s]+)\)/g, (whole, href: string) => {
      const address = siteAddress(href, file);
      return address?.startsWith("/") ? `](${origin}${asMarkdown(address)})` : whole;
    })
    .replaceAll(LOCAL_ADDRESS, origin);
}

/** Links in Markdown lead to Markdown, and the API reference to the OpenAPI document. */
function asMarkdown(address: string): string {
  const [page = "", fragment] = address.split("#");
  if (page === "/docs/api") {
    return "/openapi.json";
  }
  const file = page.startsWith("/docs/") ? `${page}.md` : page;
  return fragment ? `${file}#${fragment}` : file;
}
