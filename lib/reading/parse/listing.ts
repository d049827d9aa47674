const BLANK_LINES = /^(?:[^\S\n]*\n)+|(?:\n[^\S\n]*)+$/g;

/** The share of lines that only code has. Typewritten prose is in the same fonts. */
const LEAST_CODE = 0.3;
const CODE = /[{};=]|\w\(|^\s*(?:#|\/\/|--|\$ |>>> |@\w)|:$/;

/** Whether lines in a font for code are code. */
export function isCode(lines: readonly string[]): boolean {
  return lines.filter((line) => CODE.test(line)).length >= lines.length * LEAST_CODE;
}

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
