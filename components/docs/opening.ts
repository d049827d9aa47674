/** A page's title and first paragraph as plain text. */
export function readOpening(markdown: string): { title: string; description: string } {
  const blocks = markdown.split(/\n{2,}/).map((block) => block.trim());
  const title = blocks.find((block) => block.startsWith("# "))?.slice(2) ?? "";
  const first = blocks.find((block) => /^[^#<\s]/.test(block)) ?? "";
  return { title: toPlainText(title), description: toPlainText(first) };
}

/** The first sentence of a text. */
export function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text;
}

function toPlainText(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]/g, "")
    .replaceAll("\n", " ");
}
