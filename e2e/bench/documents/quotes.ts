import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { unzipSync } from "fflate";
import type { CitedSource, SourceQuote } from "@/lib/answers/citations/schema";
import { verifyAnswer } from "@/lib/answers/citations/verification";
import { normalizeMarkers } from "@/lib/evidence/markers";
import { RulesJudge } from "@/lib/evidence/verdict/rules-judge";
import { decodeBoxes, mergeLines, type PageRectangle } from "@/lib/reading/page-boxes";
import type { ReadDocument } from "@/lib/reading/parse/read-task";

/** A sentence of a page that was quoted as the product quotes it. */
export interface QuotedSentence {
  file: string;
  page: number;
  sentence: string;
  /** The quote's page; null if it has none. */
  quotedPage: number | null;
  quote: string;
  /** What the quote's boxes contain on its pages; null without boxes. */
  boxed: string | null;
}

interface PlacedWord extends PageRectangle {
  text: string;
  page: number;
}

/** The text of a page as something else than the product reads it. */
interface ReferencePage {
  page: number;
  sentences: string[];
}

const PER_PAGE = 12;
/** In words. */
const MIN_SENTENCE_LENGTH = 7;
const MAX_SENTENCE_LENGTH = 45;
const runFile = promisify(execFile);
const BIG = { maxBuffer: 200_000_000 };

/**
 * Quotes sentences of every page of a document with pages through verification, as an answer that repeats them, and
 * reports on which page each quote is and which words are in its boxes. Sentences that aren't in the document's text,
 * or are in several places, are left out.
 */
export async function quoteSentences(
  { file, place }: { file: string; place: string },
  document: ReadDocument,
): Promise<QuotedSentence[]> {
  const isPdf = file.endsWith(".pdf");
  const pages = isPdf ? await pdfPages(place) : slidePages(await readFile(place));
  const words = isPdf ? await placedWords(place) : [];
  const texts = [pages.flatMap(({ sentences }) => sentences).join(""), document.text];
  const whole = texts.map(lettersOf);
  const quoted: QuotedSentence[] = [];
  for (const { page, sentences } of pages) {
    for (const sentence of spread(sentences.filter(isUnique(whole)), PER_PAGE)) {
      const quote = await quoteFrom(sentence, document);
      if (quote) {
        const boxed = isPdf ? boxedWords(document, quote, words) : null;
        quoted.push({ file, page, sentence, boxed, quotedPage: quote.page, quote: quote.text });
      }
    }
  }
  return quoted;
}

/** Whether the words in a quote's boxes are the quote's, in any order. */
export function hasItsWords({ quote, boxed }: QuotedSentence): boolean {
  const [ours, theirs] = [quote, boxed ?? ""].map((text) => [...lettersOf(text)].sort().join(""));
  return ours === theirs;
}

/** Letters and digits alone: spaces, hyphens and marks depend on the reader. */
function lettersOf(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();
}

function isUnique(texts: readonly string[]): (sentence: string) => boolean {
  return (sentence) => {
    const letters = lettersOf(sentence);
    return (
      letters !== "" && texts.every((text) => text.indexOf(letters) === text.lastIndexOf(letters))
    );
  };
}

function spread<T>(list: readonly T[], most: number): T[] {
  const step = Math.max(1, list.length / most);
  return Array.from(
    { length: Math.min(most, list.length) },
    (_, at) => list[Math.floor(at * step)] as T,
  );
}

/** The quote of an answer that repeats a sentence of a document; null if no passage has it. */
async function quoteFrom(
  sentence: string,
  { title, pageStarts, chunks }: ReadDocument,
): Promise<SourceQuote | null> {
  const letters = lettersOf(sentence);
  const chunk = chunks.find(({ text }) => lettersOf(text).includes(letters));
  if (!chunk) {
    return null;
  }
  const { charStart, charEnd, pageStart } = chunk;
  const metadata = { page: pageStart, char_start: charStart, char_end: charEnd };
  const citation = { id: 1, title, document_id: null, metadata } as unknown as CitedSource;
  const judge = new RulesJudge([{ text: chunk.text, label: title }], "en");
  const answer = normalizeMarkers(`${sentence.replace(/[[\]]/g, " ")} [1]`, 1);
  const { annotations } = await verifyAnswer(
    { ...answer, stripped: [] },
    [{ citation, text: chunk.text, charStart, pageStarts }],
    {
      method: "rules",
      question: "",
      quotes: true,
      judge: (claims) => Promise.all(claims.map((claim) => judge.judge(claim))),
      analyze: (id) => judge.analyze([id]),
      urlOf: () => "",
      permalinkOf: () => null,
    },
  );
  return annotations.at(-1)?.url_citation.quote ?? null;
}

/** The words of the PDF, as poppler reads them, whose middle is in one of a quote's boxes. */
function boxedWords(
  { pageBoxes }: ReadDocument,
  { char_start: start, char_end: end }: SourceQuote,
  words: readonly PlacedWord[],
): string | null {
  const boxes = mergeLines(pageBoxes.flatMap((page) => decodeBoxes(page, { start, end })));
  const inside = words.filter(({ page, x0, x1, y0, y1 }) => {
    const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
    return boxes.some(
      (box) => box.page === page && x > box.x0 && x < box.x1 && y > box.y0 && y < box.y1,
    );
  });
  return boxes.length > 0 ? inside.map(({ text }) => text).join(" ") : null;
}

async function pdfPages(place: string): Promise<ReferencePage[]> {
  const { stdout } = await runFile("pdftotext", ["-enc", "UTF-8", place, "-"], BIG);
  return stdout.split("\f").map((text, at) => ({ page: at + 1, sentences: sentencesOf(text) }));
}

/** Of each paragraph, so that no sentence runs from one column's end to another's heading. */
function sentencesOf(text: string): string[] {
  return text
    .replace(/\u00ad|(?<=\p{Ll})-\n(?=\p{Ll})/gu, "")
    .split(/\n\s*\n/)
    .flatMap((paragraph) => paragraph.replace(/\s+/g, " ").split(/(?<=[.!?])\s+(?=\p{Lu})/u))
    .filter((sentence) => {
      const words = sentence.split(" ").length;
      return (
        words >= MIN_SENTENCE_LENGTH && words <= MAX_SENTENCE_LENGTH && /\p{L}{3}/u.test(sentence)
      );
    });
}

/** The paragraphs of each slide, by its file. */
function slidePages(bytes: Uint8Array): ReferencePage[] {
  const files = unzipSync(bytes, {
    filter: ({ name }) => /^ppt\/slides\/slide\d+\.xml$/.test(name),
  });
  return Object.entries(files).map(([name, content]) => {
    const paragraphs = new TextDecoder().decode(content).match(/<a:p>.*?<\/a:p>/gs) ?? [];
    const texts = paragraphs.map((paragraph) =>
      [...paragraph.matchAll(/<a:t>([^<&]*)<\/a:t>/g)].map(([, text]) => text).join(""),
    );
    return {
      page: Number(/\d+/.exec(name)?.[0]),
      sentences: texts.filter((text) => text.split(" ").length >= MIN_SENTENCE_LENGTH / 2),
    };
  });
}

const PAGE = /<page width="([\d.]+)" height="([\d.]+)">(.*?)<\/page>/gs;
const WORD =
  /<word xMin="(-?[\d.]+)" yMin="(-?[\d.]+)" xMax="(-?[\d.]+)" yMax="(-?[\d.]+)">(.*?)<\/word>/g;
const ENTITIES: Record<string, string> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
  "&amp;": "&",
};

async function placedWords(place: string): Promise<PlacedWord[]> {
  const { stdout } = await runFile(
    "pdftotext",
    ["-enc", "UTF-8", "-bbox", "-cropbox", place, "-"],
    BIG,
  );
  const turned = await turnedPages(place);
  return [...stdout.matchAll(PAGE)].flatMap(([, width = "", height = "", content = ""], at) => {
    // Poppler writes the size of a turned page as it was before, and its words as they are shown.
    const size = [Number(width), Number(height)];
    const [across = 1, down = 1] = turned.has(at + 1) ? size.reverse() : size;
    return [...content.matchAll(WORD)].map(([, x0, y0, x1, y1, text = ""]) => ({
      ...{ page: at + 1, x0: Number(x0) / across, x1: Number(x1) / across },
      ...{ y0: Number(y0) / down, y1: Number(y1) / down },
      text: text.replace(/&(?:lt|gt|quot|apos|amp);/g, (entity) => ENTITIES[entity] ?? ""),
    }));
  });
}

async function turnedPages(place: string): Promise<Set<number>> {
  const { stdout } = await runFile("pdfinfo", ["-f", "1", "-l", "99999", place], BIG);
  const rotations = stdout.matchAll(/^Page\s+(\d+) rot:\s+(?:90|270)$/gm);
  return new Set([...rotations].map(([, page]) => Number(page)));
}
