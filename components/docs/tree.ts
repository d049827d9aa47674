import "server-only";

import {
  findNeighbour,
  flattenTree,
  type Item,
  type Node,
  type Root,
} from "fumadocs-core/page-tree";
import { loader, source } from "fumadocs-core/source";
import { readResources } from "./api/openapi";
import { DOC_GROUPS, MARKDOWN_PAGES } from "./pages";

const resources = readResources();

const markdownFiles = MARKDOWN_PAGES.map(({ slug, label, file }) => ({
  type: "page" as const,
  path: file,
  slugs: [slug],
  data: { title: label },
}));
const apiFiles = [{ slug: "index", name: "API reference" }, ...resources].map(({ slug, name }) => ({
  type: "page" as const,
  path: `api/${slug}.json`,
  slugs: slug === "index" ? ["api"] : ["api", slug],
  data: { title: name },
}));
/** The order of the pages, by their files without an ending. */
const order = DOC_GROUPS.flatMap(({ name, pages }) => [
  `---${name}---`,
  ...pages.map(({ slug, file }) => (slug === "api" ? "api" : file.replace(/\.md$/, ""))),
]);

/** The pages of the documentation, from `pages.ts` and the OpenAPI document. */
const docs = loader({
  baseUrl: "/docs",
  source: source({
    pages: [...markdownFiles, ...apiFiles],
    metas: [
      { type: "meta", path: "meta.json", data: { title: "Documentation", pages: order } },
      {
        type: "meta",
        path: "api/meta.json",
        data: { title: "API reference", pages: resources.map(({ slug }) => slug) },
      },
    ],
  }),
});

/** Groups are separators; the API reference is a folder. */
export const PAGE_TREE: Root = docs.getPageTree();

/** The addresses of all pages, in reading order. */
export function docAddresses(): string[] {
  return flattenTree(PAGE_TREE.children).map(({ url }) => url);
}

/** The previous and next page in reading order. */
export function adjacentPages(url: string): { previous: Item | null; next: Item | null } {
  const { previous = null, next = null } = findNeighbour(PAGE_TREE, url);
  return { previous, next };
}

/** How many links a laptop's window shows without scrolling, and how many stay above the current page otherwise. */
const SHOWN_LINKS = 20;
const LINKS_ABOVE = 12;

/** The page that the navigation begins with, so that it shows the current one; null for its top. */
export function firstShown(url: string): string | null {
  const links = PAGE_TREE.children.flatMap((node) => linksOf(node, url));
  const at = links.indexOf(url);
  return at < SHOWN_LINKS ? null : (links[at - LINKS_ABOVE] ?? null);
}

/** The links of a folder are listed on its own pages only. */
function linksOf(node: Node, url: string): string[] {
  if (node.type === "separator") {
    return [];
  }
  const own = (node.type === "page" ? node.url : node.index?.url) ?? "";
  const isOpen = node.type === "folder" && (url === own || url.startsWith(`${own}/`));
  return [own, ...(isOpen ? node.children.flatMap((child) => linksOf(child, url)) : [])];
}
