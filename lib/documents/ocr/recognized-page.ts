/** Text of a page that was recognized in its image. */
export interface RecognizedPage {
  /** From 1. */
  page: number;
  paragraphs: RecognizedParagraph[];
  /** The Tesseract language it was read as. */
  language: string;
}

export interface RecognizedParagraph {
  text: string;
  /** Ranges of words in the text that may be wrong: start and end of each, one after the other. */
  uncertain: number[];
}

interface RecognizedWord {
  text: string;
  confidence: number;
  /** The numbers of its block and paragraph, and of its line. */
  paragraph: string;
  line: string;
}

const WORD_LEVEL = "5";
/** What drawings and specks are read as has less. */
const LEAST_CONFIDENCE = 20;
/** Below it, a word may be wrong. A figure says nothing about itself, so numbers need more. */
const SURE_WORD = 75;
const SURE_NUMBER = 88;

/** The paragraphs of Tesseract's tab-separated values, in its reading order. */
export function readParagraphs(tsv: string): RecognizedParagraph[] {
  const words = tsv.split("\n").flatMap((line) => toWord(line) ?? []);
  const groups = Map.groupBy(words, ({ paragraph }) => paragraph);
  return [...groups.values()].map(joinWords).filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
}

function toWord(row: string): RecognizedWord | null {
  const [level, page, block, paragraph, line, , , , , , confidence, ...text] = row.split("\t");
  const word = text.join(" ").normalize("NFC").trim();
  if (level !== WORD_LEVEL || !word || Number(confidence) < LEAST_CONFIDENCE) {
    return null;
  }
  const group = `${page}.${block}.${paragraph}`;
  return { text: word, confidence: Number(confidence), paragraph: group, line: `${line}` };
}

/** Words of a paragraph, with those that are hyphenated at the end of a line put together. */
function joinWords(words: readonly RecognizedWord[]): RecognizedParagraph {
  let text = "";
  const uncertain: number[] = [];
  let wordStart = 0;
  let isDoubtful = false;
  for (const [at, word] of words.entries()) {
    const before = words[at - 1];
    const isContinued = before && before.line !== word.line && isHyphenated(before.text, word.text);
    if (isContinued) {
      text = text.slice(0, -1);
    } else {
      text += before ? " " : "";
      wordStart = text.length;
      isDoubtful = false;
    }
    text += word.text;
    isDoubtful ||= !isSure(word);
    if (isDoubtful) {
      addRange(uncertain, wordStart, text.length);
    }
  }
  return { text, uncertain };
}

function isHyphenated(end: string, start: string): boolean {
  return /\p{Ll}[-‐]$/u.test(end) && /^\p{Ll}/u.test(start);
}

function isSure({ text, confidence }: RecognizedWord): boolean {
  return confidence >= (/\d/.test(text) ? SURE_NUMBER : SURE_WORD);
}

/** Adds a range, in place of the one of the same word's first part. */
function addRange(ranges: number[], start: number, end: number): void {
  if (ranges.at(-2) === start) {
    ranges.splice(-2);
  }
  ranges.push(start, end);
}
