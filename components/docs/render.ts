import "server-only";

import { evaluate } from "@mdx-js/mdx";
import { rehypeCode, remarkCodeTab, remarkGfm, remarkHeading } from "fumadocs-core/mdx-plugins";
import type { TOCItemType } from "fumadocs-core/toc";
import * as runtime from "react/jsx-runtime";
import { VFile } from "vfile";
import { HIGHLIGHTING } from "./code-theme";
import { labelCodeBlocks } from "./label-code-blocks";
import type { DocPage } from "./pages";
import { readRepositoryFile } from "./source";

interface RenderedPage {
  /** Headings of levels two and three. */
  toc: TOCItemType[];
  Content: Awaited<ReturnType<typeof evaluate>>["default"];
}

/** Renders a page's Markdown. Heading anchors match GitHub's. */
export async function renderPage({ file }: Pick<DocPage, "file">): Promise<RenderedPage> {
  const source = new VFile({ path: file, value: await readRepositoryFile(file) });
  const { default: Content } = await evaluate(source, {
    ...runtime,
    format: "md",
    remarkPlugins: [remarkGfm, remarkHeading, labelCodeBlocks, remarkCodeTab],
    rehypePlugins: [[rehypeCode, { ...HIGHLIGHTING, icon: false }]],
  });
  const toc = (source.data.toc ?? []) as TOCItemType[];
  return { toc: toc.filter(({ depth }) => depth === 2 || depth === 3), Content };
}
