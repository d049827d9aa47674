import { type Block, readBlocks } from "./blocks";

/** The smallest piece of a source that can be quoted; `text` is an exact substring of the source. */
export interface Unit {
  text: string;
  /** The headings above it, outermost first, joined by " › ". */
  heading: string | null;
  /** The line that introduces its list, or the header of its table. */
  lead: string | null;
  /** Its place among the units of the source, from 0. */
  index: number;
  /** Which list or table of the source it belongs to. */
  list: number | null;
}

interface Reading {
  units: Unit[];
  headings: { depth: number; text: string }[];
  leads: { depth: number; text: string }[];
  list: number | null;
  lists: number;
}

/** An item longer than this is prose behind a dash, and is quoted by the sentence. */
const ITEM_WORDS = 45;
const PARAGRAPH_DEPTH = -1;

/** Splits a source into sentences, list items and table rows, each with the context it stands in. */
export function splitUnits(text: string): Unit[] {
  const reading: Reading = { units: [], headings: [], leads: [], list: null, lists: 0 };
  for (const block of readBlocks(text)) {
    readBlock(reading, block, text.slice(block.start, block.end));
  }
  return reading.units;
}

function readBlock(reading: Reading, block: Block, body: string): void {
  if (block.kind === "heading") {
    reading.headings = reading.headings.filter(({ depth }) => depth < block.depth);
    reading.headings.push({ depth: block.depth, text: body.replace(/^[*_]+|[*_:]+$/g, "") });
    endList(reading);
  } else if (block.kind === "text" || block.kind === "lead") {
    endList(reading);
    const sentences = splitSentences(body);
    takeLead(reading, sentences, { depth: PARAGRAPH_DEPTH, isLead: block.kind === "lead" });
    addUnits(reading, sentences);
  } else if (block.kind === "header") {
    endList(reading);
    reading.leads = [{ depth: PARAGRAPH_DEPTH, text: body }];
  } else {
    readItem(reading, block, body);
  }
}

function readItem(reading: Reading, block: Block, body: string): void {
  reading.leads = reading.leads.filter(({ depth }) => depth < block.depth);
  if (reading.list === null) {
    reading.list = reading.lists;
    reading.lists += 1;
  }
  const sentences = body.split(/\s+/).length > ITEM_WORDS ? splitSentences(body) : [body.trim()];
  takeLead(reading, sentences, { depth: block.depth, isLead: false });
  addUnits(reading, sentences);
}

function endList(reading: Reading): void {
  reading.list = null;
  reading.leads = [];
}

/** A sentence that ends with a colon introduces what follows and is not quoted for itself. */
function takeLead(reading: Reading, sentences: string[], { depth, isLead }: { depth: number; isLead: boolean }): void {
  if (isLead || sentences.at(-1)?.endsWith(":")) {
    reading.leads.push({ depth, text: sentences.pop() ?? "" });
  }
}

function addUnits(reading: Reading, sentences: string[]): void {
  const heading = reading.headings.map((part) => part.text).join(" › ") || null;
  const lead = reading.list === null ? null : (reading.leads.at(-1)?.text ?? null);
  for (const text of sentences) {
    reading.units.push({ text, heading, lead, index: reading.units.length, list: reading.list });
  }
}

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });

/** Never the end of a sentence. */
const ABBREVIATION =
  /(?:^|[\s(“"'])(?:e\.g|i\.e|viz|vs|cf|ca|approx|incl|resp|Drs?|Mrs?|Ms|Prof|St|Figs?|Eq|Ref)\.$/i;
/** The end of a sentence only when a word follows that mostly begins one: "U.S.", "et al.", "vitamin K." */
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
    if (isSentence(flat.slice(start, end), flat.slice(end))) {
      sentences.push(...splitBeforeSmallInitial(body.slice(start, end)));
      start = end;
    }
  }
  return sentences.filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

function isSentence(text: string, rest: string): boolean {
  const said = text.trimEnd();
  if (rest === "") {
    return true;
  }
  const isShortened = ABBREVIATION.test(said) || (/\bNo\.$/.test(said) && /^\d/.test(rest));
  return !isShortened && (!OPEN_END.test(said) || STARTER.test(rest));
}

/** The segmenter takes "kidneys. eGFR falls" for one sentence, because it goes on in lower case. */
function splitBeforeSmallInitial(text: string): string[] {
  return text.split(/(?<=[\p{Ll})%][.!?])\s+(?=\p{Ll}{1,2}\p{Lu})/u).map((sentence) => sentence.trim());
}
