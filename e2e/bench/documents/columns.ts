import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { PageRectangle } from "@/lib/reading/page-boxes";

/** A page whose prose is set in columns, as poppler places its lines. */
export interface ColumnPage {
  page: number;
  /** Shares of the lines beside others: followed by the next one of their paragraph, and read before the one on their right. */
  continued: number;
  leftFirst: number;
}

interface TextLine extends PageRectangle {
  text: string;
  letters: string;
  block: number;
}

/** A page counts as right if so many of its lines are followed by the next one, and come before their neighbor. */
const MIN_SHARE = 0.9;
/** Of prose; a shorter line may be a cell of a table. */
const MIN_CHARACTERS = 18;
/** A page with fewer lines beside others has no columns of prose. */
const MIN_LINES = 6;
const MIN_BESIDE = 0.1;
/** The share of them that go on in lower case; rows of a table begin with names and numbers. */
const MIN_CONTINUING = 0.3;
/** Letters on both sides of a line's end that show that one follows the other. */
const JOINT = 8;
/** Letters by which a line is found. */
const START = 24;
const RTL = /[\u0590-\u08ff]/;
const runFile = promisify(execFile);
const BLOCK = /<block [^>]*>(.*?)<\/block>/gs;
const LINE =
  /<line xMin="(-?[\d.]+)" yMin="(-?[\d.]+)" xMax="(-?[\d.]+)" yMax="(-?[\d.]+)">(.*?)<\/line>/gs;
const WORD = /<word [^>]*>(.*?)<\/word>/g;

/** The pages of a PDF with columns of prose, and how well the texts of the pages keep their order. */
export async function columnPages(place: string, texts: readonly string[]): Promise<ColumnPage[]> {
  const { stdout } = await runFile("pdftotext", ["-enc", "UTF-8", "-bbox-layout", place, "-"], {
    maxBuffer: 200_000_000,
  }).catch(() => ({ stdout: "" }));
  return stdout
    .split("<page ")
    .slice(1)
    .flatMap((content, at) => {
      const lines = linesOf(content);
      const pairs = pairsOf(lines);
      const beside = new Set(pairs.flat());
      if (beside.size < MIN_LINES || beside.size < lines.length * MIN_BESIDE || !flows(beside)) {
        return [];
      }
      const text = lettersOf(texts[at] ?? "");
      return [
        {
          page: at + 1,
          continued: continuedShare(lines, beside, text),
          leftFirst: leftFirstShare(pairs, text),
        },
      ];
    });
}

export function isInOrder({ continued, leftFirst }: ColumnPage): boolean {
  return continued >= MIN_SHARE && leftFirst >= MIN_SHARE;
}

function linesOf(page: string): TextLine[] {
  return [...page.matchAll(BLOCK)].flatMap(([, content = ""], block) =>
    [...content.matchAll(LINE)].map(([, x0, y0, x1, y1, words = ""]) => {
      const text = [...words.matchAll(WORD)].map(([, word]) => word).join(" ");
      return {
        ...{ x0: Number(x0), y0: Number(y0), x1: Number(x1), y1: Number(y1) },
        ...{ text, letters: lettersOf(text), block },
      };
    }),
  );
}

/** Lines of prose side by side: the left one and the nearest one on its right. */
function pairsOf(lines: readonly TextLine[]): [TextLine, TextLine][] {
  const prose = lines.filter(
    ({ text, letters, x0, x1, y0, y1 }) =>
      text.length >= MIN_CHARACTERS &&
      (letters.match(/\p{L}/gu)?.length ?? 0) > text.length * 0.6 &&
      // Other lines are read from right to left, or downward.
      !RTL.test(text) &&
      x1 - x0 > y1 - y0,
  );
  return prose.flatMap((left): [TextLine, TextLine][] => {
    const [right] = prose
      .filter((other) => {
        const shared = Math.min(left.y1, other.y1) - Math.max(left.y0, other.y0);
        return other.x0 >= left.x1 && shared > 0.5 * (left.y1 - left.y0);
      })
      .sort((a, b) => a.x0 - b.x0);
    return right ? [[left, right]] : [];
  });
}

function flows(lines: ReadonlySet<TextLine>): boolean {
  return shareOf([...lines], ({ text }) => !/^\P{L}*\p{Lu}|^\P{L}+$/u.test(text)) >= MIN_CONTINUING;
}

function continuedShare(
  lines: readonly TextLine[],
  beside: ReadonlySet<TextLine>,
  text: string,
): number {
  const joints = lines.slice(1).flatMap((line, at) => {
    const before = lines[at];
    const isJoint =
      before?.block === line.block && before.y1 < line.y1 && beside.has(before) && beside.has(line);
    return isJoint ? [before.letters.slice(-JOINT) + line.letters.slice(0, JOINT)] : [];
  });
  return shareOf(joints, (joint) => text.includes(joint));
}

function leftFirstShare(pairs: readonly (readonly [TextLine, TextLine])[], text: string): number {
  const placed = pairs.flatMap(([left, right]) => {
    const [a, b] = [left, right].map(({ letters }) => placeOf(letters.slice(0, START), text));
    return a === null || b === null || a === undefined || b === undefined ? [] : [a < b];
  });
  return shareOf(placed, (isFirst) => isFirst);
}

/** Where letters are, if they are there once. */
function placeOf(letters: string, text: string): number | null {
  const at = text.indexOf(letters);
  return at >= 0 && at === text.lastIndexOf(letters) ? at : null;
}

function shareOf<T>(list: readonly T[], is: (each: T) => boolean): number {
  return list.length === 0 ? 1 : list.filter(is).length / list.length;
}

function lettersOf(text: string): string {
  return text
    .replace(/&(?:amp|lt|gt|quot|apos);/g, "")
    .normalize("NFKC")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();
}
