import "server-only";

import { evaluate } from "@mdx-js/mdx";
import * as runtime from "react/jsx-runtime";
import rehypeSlug from "rehype-slug";
import remarkGfm from "remark-gfm";
import type { DocPage } from "./pages";
import { readRepositoryFile } from "./source";
import { collectHeadings, groupSamples, type Heading } from "./tree";

interface RenderedPage {
  headings: Heading[];
  Content: Awaited<ReturnType<typeof evaluate>>["default"];
}

/** Parses a page's Markdown. Heading anchors match GitHub's. */
export async function renderPage({ file }: Pick<DocPage, "file">): Promise<RenderedPage> {
  const headings: Heading[] = [];
  const { default: Content } = await evaluate(await readRepositoryFile(file), {
    ...runtime,
    format: "md",
    remarkPlugins: [remarkGfm],
    rehypePlugins: [rehypeSlug, collectHeadings(headings), groupSamples],
  });
  return { headings, Content };
}
