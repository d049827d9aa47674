import path from "node:path";
import { LOCAL_ADDRESS } from "./local-address";
import { addressOfFile } from "./pages";

/**
 * Where a link of a page leads on the site: links between files of the repository lead to their pages, and
 * links to a local start to this site's own. Null for a file that the site does not show.
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

/** A page's Markdown as it is served beside the pages: its links and samples lead to `origin`. */
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

/** Programs that read Markdown go on in Markdown; the reference is the OpenAPI document itself. */
function asMarkdown(address: string): string {
  const [page = "", fragment] = address.split("#");
  if (page === "/docs/api") {
    return "/openapi.json";
  }
  const file = page.startsWith("/docs/") ? `${page}.md` : page;
  return fragment ? `${file}#${fragment}` : file;
}
