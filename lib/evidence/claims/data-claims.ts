import { normalizeMarkers } from "../markers";
import { unitOf } from "../verdict/units";
import { answerSentences, mayBeClaim } from "./answer-sentences";
import { type JsonValue, readJsonValues, toJsonPath } from "./json-values";
import { readSpans } from "./spans";

/** What a value of a JSON answer claims. */
export interface DataClaim {
  path: string;
  /** UTF-16 offsets of the value in the JSON, including a string's quotes. End exclusive. */
  start: number;
  end: number;
  /** A sentence of the value; or the name of its record, its keys and the value: "ibuprofen usual dose 400 mg". */
  text: string;
  /** The sources that its markers cite; empty without markers. */
  ids: readonly number[];
}

interface Options {
  sourceCount: number;
  /** Whether a source has a word. Other words of outer keys are the schema's own. */
  isKnown: (word: string) => boolean;
}

/** Further claims stay unchecked; bounds the work. */
const MAX_CLAIMS = 100;
/** Longer strings stay unchecked. */
const MAX_STRING_LENGTH = 20_000;
/** Longer values claim nothing, unless they are sentences. */
const MAX_VALUE_LENGTH = 1000;
/** Longer strings aren't names. */
const MAX_NAME_LENGTH = 60;
const LETTER = /\p{L}/u;
/** "400", "4 to 6" */
const BARE_NUMBER = /^[<>≤≥~]?\s*\d[\d.,]*(?:\s*(?:to|or|[-–])\s*\d[\d.,]*)?$/;
const RATE = /^(?:per|a|an|each|every)$/i;
const ADDRESS = /^[a-z][a-z\d+.-]*:\S+$/i;
/** A string is a sentence if it has this many words, or ends with a full stop, a question mark or the like. */
const MIN_WORDS_IN_SENTENCE = 8;
const SENTENCE_END = /[.!?…。！।]["'”’»)]*$/u;

/**
 * The claims of an answer that is valid JSON, in its order. A value belongs to the record around it, which the record's
 * first string without a number names. Names, addresses, truth values and empty strings claim nothing.
 */
export function readDataClaims(json: string, options: Options): DataClaim[] {
  const values = readJsonValues(json);
  const names = namesOf(values);
  const claims: DataClaim[] = [];
  for (const one of values) {
    if (claims.length < MAX_CLAIMS) {
      claims.push(...claimsOf(one, nameAbove(one, names), options));
    }
  }
  return claims.slice(0, MAX_CLAIMS);
}

function claimsOf(one: JsonValue, name: string | null, options: Options): DataClaim[] {
  const place = { path: toJsonPath(one.path), start: one.start, end: one.end };
  return partsOf(one, options).flatMap(({ text: said, ids, isSentence }) => {
    const text = isSentence
      ? withName(said, name ?? "")
      : inRecord(one, said, { name, ...options });
    const isNamed = name !== null && text !== said && LETTER.test(text);
    return isSentence || isNamed || ids.length > 0 ? [{ ...place, text, ids }] : [];
  });
}

/** The first name in each object, by the object's path. */
function namesOf(values: readonly JsonValue[]): ReadonlyMap<string, JsonValue> {
  const names = new Map<string, JsonValue>();
  for (const one of values) {
    const { value, path } = one;
    const record = toJsonPath(path.slice(0, -1));
    const isMember = typeof value === "string" && typeof path.at(-1) === "string";
    const isName = isMember && value.length <= MAX_NAME_LENGTH && LETTER.test(value);
    if (isName && !/\d/.test(value) && !isSentence(value) && !names.has(record)) {
      names.set(record, one);
    }
  }
  return names;
}

/** The name of the closest object around a value; empty without one, null if the value is that name. */
function nameAbove(one: JsonValue, names: ReadonlyMap<string, JsonValue>): string | null {
  for (let depth = one.path.length - 1; depth >= 0; depth -= 1) {
    const name = names.get(toJsonPath(one.path.slice(0, depth)));
    if (name) {
      return name === one ? null : String(name.value);
    }
  }
  return "";
}

interface Part {
  text: string;
  ids: readonly number[];
  isSentence: boolean;
}

/** The sentences of a string, those with markers first; otherwise the value itself. */
function partsOf({ value }: JsonValue, { sourceCount }: Options): Part[] {
  if (typeof value === "number") {
    return [{ text: String(value), ids: [], isSentence: false }];
  }
  if (value.length > MAX_STRING_LENGTH) {
    return [];
  }
  const { text, markers } = normalizeMarkers(value, sourceCount);
  const bare = markers
    .reduceRight((kept, { start, end }) => kept.slice(0, start) + kept.slice(end), text)
    .trim();
  if (!isSentence(bare)) {
    const mayClaim = /[\p{L}\p{N}]/u.test(bare) && !ADDRESS.test(bare);
    const ids = [...new Set(markers.map(({ id }) => id))];
    return mayClaim && bare.length <= MAX_VALUE_LENGTH
      ? [{ text: bare, ids, isSentence: false }]
      : [];
  }
  const { spans } = readSpans(text, markers);
  const marked = new Set(spans.map(({ sentence }) => sentence));
  const unmarked = answerSentences(text, markers).filter(
    (sentence, at) => !marked.has(at) && mayBeClaim(text, sentence),
  );
  return [
    ...spans.map((span) => ({ text: span.text, ids: span.ids, isSentence: true })),
    ...unmarked.map(({ start, end }) => ({
      text: text.slice(start, end),
      ids: [],
      isSentence: true,
    })),
  ];
}

function isSentence(text: string): boolean {
  return (
    text.split(/\s+/).length >= MIN_WORDS_IN_SENTENCE ||
    (/\s/.test(text) && SENTENCE_END.test(text))
  );
}

function withName(sentence: string, name: string): string {
  const isNamed = sentence.toLowerCase().includes(name.toLowerCase());
  return isNamed ? sentence : `${name}: ${sentence}`;
}

/** A value after the name of its record and the words of its keys, and before the unit that its own key gives. */
function inRecord(
  { path }: JsonValue,
  text: string,
  { name, isKnown }: Options & { name: string | null },
): string {
  const last = path.findLastIndex((step) => typeof step === "string");
  const own = wordsOfKey(path[last]);
  const unit = BARE_NUMBER.test(text) ? unitOfKey(own) : [];
  // The key of a list names its kind, not what a record is about.
  const outer = path
    .slice(0, Math.max(0, last))
    .filter((_, at) => typeof path[at + 1] === "string")
    .flatMap(wordsOfKey)
    .filter(isKnown);
  const words = [name, ...outer, ...own.slice(0, own.length - unit.length), text, ...unit];
  return words.filter(Boolean).join(" ");
}

/** Of "doseMgPerDay" or "dose_mg_per_day"; an index has none. */
function wordsOfKey(key: string | number | undefined): string[] {
  const words = (typeof key === "string" ? key : "")
    .replace(/(?<=[a-z\d])(?=[A-Z])/g, " ")
    .split(/[\s_.-]+/);
  return words.filter(Boolean).map((word) => word.toLowerCase());
}

/** "mg per day" of "dose mg per day"; "times a day" has none. */
function unitOfKey(key: readonly string[]): readonly string[] {
  const at = key.findIndex((word, index) => unitOf(word) && !RATE.test(key[index - 1] ?? ""));
  return at < 0 ? [] : key.slice(at);
}
