const BLANK_LINES = /^(?:[^\S\n]*\n)+|(?:\n[^\S\n]*)+$/g;

/** Lines of code as in Markdown, with their indentation. A single line is text like any other. */
export function toListing(code: string): string {
  const lines = code
    .replace(/\r\n?/g, "\n")
    .replace(BLANK_LINES, "")
    .split("\n")
    .map((line) => line.trimEnd());
  if (lines.length < 2) {
    return lines.join("").trim();
  }
  const runs = code.match(/`{3,}/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...runs.map(({ length }) => length + 1)));
  return [fence, ...lines, fence].join("\n");
}

export function trimLines(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trim())
    .join("\n")
    .trim();
}
