import "server-only";

import { addressOf, DOC_GROUPS, type DocPage } from "./pages";
import { readRepositoryFile } from "./source";

export async function describePage(page: DocPage): Promise<string> {
  if (page.about) {
    return page.about;
  }
  const { description } = readOpening(await readRepositoryFile(page.file));
  return /^.*?[.!?](?=\s|$)/.exec(description)?.[0] ?? description;
}

/** A page's title and first paragraph as plain text. */
export function readOpening(markdown: string): { title: string; description: string } {
  const blocks = markdown.split(/\n{2,}/).map((block) => block.trim());
  const title = blocks.find((block) => block.startsWith("# "))?.slice(2) ?? "";
  const first = blocks.find((block) => /^[^#<\s]/.test(block)) ?? "";
  return { title: toPlainText(title), description: toPlainText(first) };
}

function toPlainText(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]/g, "")
    .replaceAll("\n", " ");
}

/** The llms.txt index: each page with a link to its Markdown version. */
export async function llmsIndex(origin: string): Promise<string> {
  const groups = await Promise.all(
    DOC_GROUPS.map(async ({ name, pages }) => {
      const lines = await Promise.all(pages.map((page) => lineOf(page, origin)));
      return `## ${name}\n\n${lines.join("\n")}\n`;
    }),
  );
  return `# Footnote

> An HTTP API for chat completions with cited retrieval, for stock OpenAI clients. Add a \`citations\` object to a
> request, and every citation in the answer links to its source's words, with a verdict.

${groups.join("\n")}`;
}

async function lineOf(page: DocPage, origin: string): Promise<string> {
  const isMarkdown = page.file.endsWith(".md");
  const address = isMarkdown ? `${addressOf(page)}.md` : "/openapi.json";
  return `- [${page.label}](${origin}${address}): ${await describePage(page)}`;
}
