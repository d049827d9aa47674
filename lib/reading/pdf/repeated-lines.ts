import type { PdfBlock } from "./blocks";
import type { RemovedLine } from "./running-lines";

/** Of a line that pages repeat: words of its own, not only a page's number. */
const SAYS_MORE = /\p{L}{3,}.*\p{L}{3,}/u;
const MOST_REPEATED = 20;

/** Lines that pages repeat, which are read once, at the end. */
export class RepeatedLines {
  readonly #blocks: PdfBlock[] = [];
  readonly #patterns = new Set<string>();

  /** Those that aren't read with the text, as a title or the names of a table's columns. */
  blocksBeside(read: readonly PdfBlock[]): PdfBlock[] {
    const wordsOf = (text: string) => text.replace(/[|\s]+/g, " ").trim();
    return this.#blocks.filter((block) => {
      const words = wordsOf(block.text.replace(/^\[.*?\]/, ""));
      return !read.some(({ text, head = "" }) => text.includes(words) || wordsOf(head) === words);
    });
  }

  add(lines: readonly RemovedLine[], page: number): void {
    for (const { pattern, text } of lines.filter((line) => SAYS_MORE.test(line.text))) {
      if (!this.#patterns.has(pattern) && this.#blocks.length < MOST_REPEATED) {
        const name = pattern.startsWith("top") ? "page header" : "page footer";
        const style = { size: 0, isBold: false, lines: 1, words: [] };
        const place = { kind: "paragraph", depth: 0, page } as const;
        this.#patterns.add(pattern);
        this.#blocks.push({ ...place, text: `[${name}] ${text}`, ...style });
      }
    }
  }
}
