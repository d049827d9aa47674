import { type Block, readBlocks } from "./blocks";

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
const PART_WORDS = 60;

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });

/** As much of what stands around a full stop as tells whether it ends a sentence. */
const AROUND = 24;
/** Never the end of a sentence. */
const ABBREVIATION =
  /(?:^|[\s(“"'])(?:e\.g|i\.e|viz|vs|cf|ca|approx|incl|resp|Drs?|Mrs?|Ms|Prof|St|Figs?|Eq|Ref)\.$/i;
/** The end of a sentence only before a word that mostly begins one: "U.S.", "et al.", "vitamin K." */
const OPEN_END = /(?:^|[\s(“"'])(?:(?:\p{L}\.){2,}|\p{Lu}\.|al\.|etc\.|Inc\.|Ltd\.)$/u;
const STARTER =
  /^["“(]?(?:The|An?|In|It|Its|This|These|That|Those|If|When|While|For|He|She|They|We|You|But|And|So|However|Most|Many|Some|Other|Because|Although|After|Before|There|On|At|By|As|To|Do|Does|Is|Are|Call|See|People|Not|No)\b/;

/** The sentences of a paragraph, each an exact substring of it. */
function splitSentences(body: string): string[] {
  // A line break would end a sentence; a blank of the same length keeps every offset.
  const flat = body.replace(/\s/g, " ");
  const sentences: string[] = [];
  let start = 0;
  for (const { segment, index } of segmenter.segment(flat)) {
    const end = index + segment.length;
    if (
      end === flat.length ||
      endsSentence(flat.slice(Math.max(start, end - AROUND), end), flat.slice(end, end + AROUND))
    ) {
      sentences.push(...splitBeforeSmallInitial(body.slice(start, end)).flatMap(splitRunOn));
      start = end;
    }
  }
  return sentences.filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

function endsSentence(text: string, rest: string): boolean {
  const said = text.trimEnd();
  const isShortened = ABBREVIATION.test(said) || (/\bNo\.$/.test(said) && /^\d/.test(rest));
  return !isShortened && (!OPEN_END.test(said) || STARTER.test(rest));
}

/** The segmenter takes "They filter. eGFR falls" for one sentence, because it goes on in lower case. */
function splitBeforeSmallInitial(text: string): string[] {
  return text
    .split(/(?<=[\p{Ll})%][.!?])\s+(?=\p{Ll}{1,2}\p{Lu})/u)
    .map((sentence) => sentence.trim());
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
      length >= PART_WORDS ||
      (length >= PART_WORDS / 2 && /[,;:]$/.test(word)) ||
      at === words.length - 1
    ) {
      parts.push(sentence.slice(start, index + word.length));
      first = at + 1;
      start = words[at + 1]?.index ?? sentence.length;
    }
  }
  return parts;
}
