import { type Block, readBlocks } from "@/lib/text/blocks";
import { sentenceRanges } from "@/lib/text/sentences";

/** The smallest piece of a source that can be quoted; `text` is an exact substring of the source. */
export interface Unit {
  text: string;
  /** The headings above it, outermost first, joined by HEADING_JOINT. */
  heading: string | null;
  /** The line that introduces its list, or the header of its table. */
  lead: string | null;
  /** Its place among the units of the source, from 0. */
  index: number;
  /** Which list or table of the source it belongs to. */
  list: number | null;
}

interface Context {
  depth: number;
  text: string;
}

interface Reading {
  units: Unit[];
  headings: Context[];
  leads: Context[];
  list: number | null;
  lists: number;
}

export const HEADING_JOINT = " › ";

/** An item longer than this is prose behind a dash, and is quoted by the sentence. */
const ITEM_WORDS = 45;
/** What introduces a list stands above every indent of its items. */
const LEAD_DEPTH = -1;

/** Splits a source into sentences, list items and table rows, each with the context it stands in. */
export function splitUnits(text: string): Unit[] {
  const reading: Reading = { units: [], headings: [], leads: [], list: null, lists: 0 };
  for (const block of readBlocks(text)) {
    readBlock(reading, block, text.slice(block.start, block.end));
  }
  return reading.units;
}

function readBlock(reading: Reading, block: Block, body: string): void {
  if (block.kind === "item" || block.kind === "row") {
    readItem(reading, block, body);
    return;
  }
  reading.list = null;
  reading.leads = [];
  if (block.kind === "heading") {
    const text = body.replace(/^[*_]+|[*_:]+$/g, "");
    reading.headings = [
      ...reading.headings.filter(({ depth }) => depth < block.depth),
      { depth: block.depth, text },
    ];
  } else if (block.kind === "header") {
    reading.leads = [{ depth: LEAD_DEPTH, text: body }];
  } else {
    const sentences = splitSentences(body);
    if (block.kind === "lead" || sentences.at(-1)?.endsWith(":")) {
      reading.leads = [{ depth: LEAD_DEPTH, text: sentences.pop() ?? "" }];
    }
    addUnits(reading, sentences);
  }
}

function readItem(reading: Reading, block: Block, body: string): void {
  reading.leads = reading.leads.filter(({ depth }) => depth < block.depth);
  if (reading.list === null) {
    reading.list = reading.lists;
    reading.lists += 1;
  }
  if (body.endsWith(":")) {
    reading.leads.push({ depth: block.depth, text: body });
  } else {
    addUnits(reading, body.split(/\s+/).length > ITEM_WORDS ? splitSentences(body) : [body]);
  }
}

function addUnits(reading: Reading, sentences: string[]): void {
  const heading = reading.headings.map(({ text }) => text).join(HEADING_JOINT) || null;
  const lead = (reading.list !== null && reading.leads.at(-1)?.text) || null;
  for (const text of sentences) {
    reading.units.push({ text, heading, lead, index: reading.units.length, list: reading.list });
  }
}

/** No sentence that is worth quoting is longer. */
const RUN_ON_WORDS = 90;
const PART_LABELS = 60;

/** The sentences of a paragraph, each an exact substring of it. */
function splitSentences(body: string): string[] {
  return sentenceRanges(body)
    .flatMap(({ start, end }) => splitRunOn(body.slice(start, end)))
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

/** Text without end marks, as tables leave it, is cut after a comma where it can be. */
function splitRunOn(sentence: string): string[] {
  const words = [...sentence.matchAll(/\S+/g)];
  if (words.length <= RUN_ON_WORDS) {
    return [sentence];
  }
  const parts: string[] = [];
  let first = 0;
  let start = 0;
  for (const [at, { 0: word, index }] of words.entries()) {
    const length = at + 1 - first;
    if (
      length >= PART_LABELS ||
      (length >= PART_LABELS / 2 && /[,;:]$/.test(word)) ||
      at === words.length - 1
    ) {
      parts.push(sentence.slice(start, index + word.length));
      first = at + 1;
      start = words[at + 1]?.index ?? sentence.length;
    }
  }
  return parts;
}
