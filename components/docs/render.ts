import "server-only";

import { evaluate } from "@mdx-js/mdx";
import * as runtime from "react/jsx-runtime";
import rehypeSlug from "rehype-slug";
import remarkGfm from "remark-gfm";
import type { DocPage } from "./pages";
import { readRepositoryFile } from "./source";
import { collectHeadings, groupSamples, type Heading, type HtmlNode, textOf } from "./tree";

export interface RenderedPage {
  title: string;
  /** The first paragraph. */
  description: string;
  headings: Heading[];
  Content: Awaited<ReturnType<typeof evaluate>>["default"];
}

/** Reads a page and makes it ready to be shown; its anchors are those that code hosts make. */
export async function renderPage({ file }: DocPage): Promise<RenderedPage> {
  const headings: Heading[] = [];
  const opening = { title: "", description: "" };
  const { default: Content } = await evaluate(await readRepositoryFile(file), {
    ...runtime,
    format: "md",
    remarkPlugins: [remarkGfm],
    rehypePlugins: [rehypeSlug, collectHeadings(headings), readOpening(opening), groupSamples],
  });
  return { ...opening, headings, Content };
}

function readOpening(opening: { title: string; description: string }) {
  return () => (tree: HtmlNode) => {
    const first = (name: string) => tree.children?.find(({ tagName }) => tagName === name);
    opening.title = textOf(first("h1") ?? { type: "root" });
    opening.description = textOf(first("p") ?? { type: "root" }).replaceAll("\n", " ");
  };
}
