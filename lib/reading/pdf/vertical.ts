import type { PdfBlock } from "./blocks";
import type { Word } from "./geometry";

/** In em: how far apart two columns of one paragraph stand. */
const PARAGRAPH_GAP = 2.2;

/** Text that runs downward, in the order of the file, which is that of its columns. */
export function verticalBlocks(words: readonly Word[]): PdfBlock[] {
  const paragraphs: Word[][] = [];
  for (const word of words.toSorted((a, b) => a.order - b.order)) {
    const before = paragraphs.at(-1)?.at(-1);
    const isFar = !before || Math.abs(before.x0 - word.x0) > PARAGRAPH_GAP * word.size;
    if (isFar) {
      paragraphs.push([]);
    }
    paragraphs.at(-1)?.push(word);
  }
  return paragraphs.map((group) => ({
    kind: "paragraph",
    depth: 0,
    text: group.map(({ text }) => text).join(""),
    size: group[0]?.size ?? 0,
    isBold: false,
    lines: 1,
    words: group,
    ...(group.some(({ isHidden }) => isHidden) && { isHidden: true }),
  }));
}
