import { type Block, readBlocks, trimmedLength } from "@/lib/text/blocks";
import { sentenceRanges } from "@/lib/text/sentences";
import { withoutUnasserted } from "@/lib/text/unasserted";

/** The smallest part of a source that can be quoted; `text` is an exact substring. */
export interface Unit {
  text: string;
  /** Its headings, outermost first, joined by HEADING_SEPARATOR. */
  heading: string | null;
  /** The line that introduces its list, or the header of its table. */
  lead: string | null;
  index: number;
  /** The index of its list or table in the source. */
  list: number | null;
}

interface Outline {
  units: Unit[];
  headings: { depth: number; text: string }[];
  /** The headings as units have them: one string for all units below them. */
  heading: string | null;
  leads: { depth: number; text: string }[];
  list: number | null;
  lists: number;
}

const HEADING_SEPARATOR = " › ";

/** Longer list items are quoted sentence by sentence. */
const LONG_ITEM = 45;
/** A sentence after an item that only points elsewhere. */
const POINTER = /[.!?]\s+(?:Check|See|Visit|Refer to|For more information)\s/;
const LEAD_DEPTH = -1;
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;
const LISTING = /\b(?:include[sd]?|including|are|such as)(?: the following)?\s*:?$/i;
/** Begins like a sentence about something, with its verb. */
const SENTENCE =
  /^(?:the|an?|these|this|those|it|they|you|your|if|most|many|some|people|anyone|although|because|once|when|quitting|in|for|see|other|there|talk)\b[^.!?]*\b(?:is|are|was|were|can|may|will|should|must|has|have|do|does|need\w*|occurs?|causes?|depends?)\b/i;
/** Every unit below a heading repeats it, so a heading of any length would take quadratic time. */
const HEADING_CHARACTERS = 300;

/** Splits a source into sentences, list items and table rows, each with its context. */
export function splitUnits(text: string): Unit[] {
  const state: Outline = {
    units: [],
    headings: [],
    heading: null,
    leads: [],
    list: null,
    lists: 0,
  };
  const asserted = withoutUnasserted(text);
  for (const block of readBlocks(text)) {
    if (SAYS_SOMETHING.test(asserted.slice(block.start, block.end))) {
      readBlock(state, block, text.slice(block.start, block.end));
    }
  }
  return state.units;
}

function readBlock(state: Outline, block: Block, body: string): void {
  if (block.kind === "item" || block.kind === "row") {
    readItem(state, block, body);
    return;
  }
  state.list = null;
  state.leads = [];
  if (block.kind === "heading") {
    const text = body.slice(0, trimmedLength(body, "*_:")).replace(/^[*_]+/, "");
    state.headings = [
      ...state.headings.filter(({ depth }) => depth < block.depth),
      { depth: block.depth, text: text.slice(0, HEADING_CHARACTERS) },
    ];
    state.heading = state.headings.map((each) => each.text).join(HEADING_SEPARATOR) || null;
  } else if (block.kind === "header") {
    state.leads = [{ depth: LEAD_DEPTH, text: body }];
  } else {
    const sentences = splitSentences(body);
    if (block.kind === "lead" || sentences.at(-1)?.endsWith(":")) {
      state.leads = [{ depth: LEAD_DEPTH, text: sentences.pop() ?? "" }];
    }
    addUnits(state, sentences);
  }
}

function readItem(state: Outline, block: Block, body: string): void {
  state.leads = state.leads.filter(({ depth }) => depth < block.depth);
  if (state.list === null) {
    state.list = state.lists;
    state.lists += 1;
  }
  if (body.endsWith(":")) {
    state.leads.push({ depth: block.depth, text: body });
  } else {
    if (isOutside(state.leads.at(-1)?.text ?? "", body)) {
      state.leads = [];
    }
    const [first = "", ...rest] =
      body.split(/\s+/).length > LONG_ITEM || LOST_ITEM.test(body) || POINTER.test(body)
        ? splitSentences(body)
        : [body];
    addUnits(state, [first]);
    addUnits({ ...state, list: null }, rest);
  }
}

/** "Symptoms include" isn't continued by "These symptoms may be …", but by what is listed. */
function isOutside(lead: string, body: string): boolean {
  return LISTING.test(lead) && SENTENCE.test(body);
}

function addUnits(state: Outline, sentences: string[]): void {
  const { heading } = state;
  const lead = (state.list !== null && state.leads.at(-1)?.text) || null;
  for (const text of sentences.filter((each) => SAYS_SOMETHING.test(withoutUnasserted(each)))) {
    state.units.push({ text, heading, lead, index: state.units.length, list: state.list });
  }
}

/** Where a line break before an item was lost: "… the gland. - It causes …". */
const LOST_ITEM = /(?<=[.!?]) - (?=\p{Lu})/u;
const RUN_ON_WORDS = 90;
const PART_LABELS = 60;

/** The sentences of a paragraph, as exact substrings. */
function splitSentences(body: string): string[] {
  return sentenceRanges(body)
    .flatMap(({ start, end }) => body.slice(start, end).split(LOST_ITEM))
    .flatMap(splitRunOn)
    .filter((sentence) => SAYS_SOMETHING.test(sentence));
}

/** Cuts text without end marks, such as extracted tables, after commas where possible. */
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
