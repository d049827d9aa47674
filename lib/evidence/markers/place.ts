import { readPacks } from "@/lib/packs";
import labels from "./labels.json" with { type: "json" };
import { isBlank, type Lookahead, trimBlanks } from "./lookahead";
import { missingObject } from "./object-phrases";
import type { Marker } from "./parse-marker";
import places from "./places.json" with { type: "json" };

/** The text before a bracket, as far as it tells what the bracket is. */
type Lead =
  /** The beginning of a line, list item or cell. */
  | "start"
  /** A word or sentence that is complete without it. */
  | "closed"
  /** A phrase that a source completes: "according to", "see". */
  | "report"
  | "comma"
  /** A word that an amount can follow: "give", "for", "the". */
  | "amount"
  /** Anything that only a value can follow: "=", ":", "is", "of". */
  | "open";

/** The text after a bracket: the end of a line or clause, more words, a new sentence, or what the numbers count. */
type Rest = "end" | "clause" | "word" | "sentence" | "value";

const PACK = readPacks("words");
const wordsOf = (text: string, added: readonly string[] = []) =>
  new Set(text.split(" ").concat(added));
const QUANTIFIED = wordsOf(places.quantified.join(" "), PACK.counted);
const COPULAS = wordsOf(places.copulas);
const AMOUNT = wordsOf(places.amount, PACK.given);
const JOINING = wordsOf(places.joining);
const REPORTING = wordsOf(places.reporting);
const COLLECTIONS = wordsOf(places.collections);
const MEASURES = wordsOf(places.measures, PACK.measures);
const LABELS = new Set(labels);
const ADJOINING = new RegExp(`^(?:${places.adjoining})`, "u");
const REFERRING = new RegExp(`(?<!\\p{L})${places.referring}$`, "iu");

const LINE_START = /(?:^|\n|\|)[ \t>]*(?:(?:[-*+•]|\d{1,3}[.)]|#{1,6}|\[[ xX]\])(?:[ \t]+|$))*$/;
const CLAUSE_END = /[.,;:!?…。．，、；：！？)\]}）】"”’»'*_|`~<†‡—–[［【〔〖⟦(（\\-]/u;
const OPERATOR = /[=+×÷±≤≥≈∈^/%°‰&{@#$€£]/u;
/** "x in [1, 2]". */
const VARIABLE_IN = /(?<![\p{L}'’])[b-hj-z] in$/u;
const SENTENCE_END = /[.!?。！？]["'”’)]?$/u;
const COMMA = /[,;，、；—–-]$/u;
/** After these, and between numbers, only a value follows. */
const OPENS = /(?:[={/\\#@&<≤≥≈∈±×÷|]|\d[,;]|(?:^|\s)[+$]|(?<!<\/?\w[^<>]{0,60})>)$/u;
const PRODUCT = /[\p{L}\p{N})\]] \*$/u;
/** Quotation marks and dollar signs that open something, with the bracket right behind. */
const OPENS_ATTACHED = /(?:^|[\s([{=])["'“«`$~]+$/u;
const LAST_WORD = /[\p{L}\p{M}\p{N}'’_-]+$/u;
/** After a bracket of numbers that was left in the text, the next is no citation either. */
const LEFT_BRACKET = /\[\d{1,3}(?:[\s,;–-]+\d{1,3})*\][ \t,;]*(?:and|or|und|oder|et|ou|y|o|e)?$/;
const MAX_UNIT = 16;

interface Place {
  before: string;
  ahead: Lookahead;
  /** Each of its numbers is a source's. */
  hasSources: boolean;
  /** It follows another marker. */
  isNext: boolean;
  /** It could be something else, even there, unless a clause ends. */
  isWeak?: boolean;
}

/** Whether a bracket of bare numbers stands where a citation can. */
export function canStand({ ranges, end }: Pick<Marker, "ranges" | "end">, place: Place): boolean {
  const { before, ahead, hasSources, isNext, isWeak } = place;
  const isList = ranges.length > 1 || ranges.some(([from, to]) => from !== to);
  const { text, isAfterLeft } = textBefore(before);
  const lead = isNext ? "closed" : readLead(text, text?.length === before.length);
  const rest = readRest(ahead, isList ? skipClosers(ahead, end) : end);
  const isRest = isAfterLeft && !isNext && (isList || !hasSources || lead === "amount");
  if (lead === "open" || rest === "value" || isRest || (isWeak && !isEnd(lead, rest, before))) {
    return false;
  }
  return isList
    ? new Set(ranges.map(String)).size === ranges.length &&
        (isNext || canListStand(lead, rest, { hasSources, isOfValues: isValues(text, hasSources) }))
    : canNumberStand(lead, rest, hasSources);
}

function isEnd(lead: Lead, rest: Rest, before: string): boolean {
  const isBetween = rest === "sentence" && SENTENCE_END.test(before);
  return lead !== "start" && (rest === "end" || rest === "clause" || isBetween);
}

/** A number that no source has would be removed, so it must stand where nothing else can. */
function canNumberStand(lead: Lead, rest: Rest, hasSources: boolean): boolean {
  const isEnd = rest === "end" || rest === "clause";
  return {
    start: hasSources || rest !== "end",
    comma: hasSources,
    amount: hasSources && isEnd,
    closed: true,
    report: true,
    open: false,
  }[lead];
}

function canListStand(
  lead: Lead,
  rest: Rest,
  { hasSources, isOfValues }: { hasSources: boolean; isOfValues: boolean },
): boolean {
  const isPlace = (lead === "closed" && !isOfValues) || lead === "report";
  return lead === "start" ? rest === "sentence" : isPlace && (hasSources || rest !== "word");
}

/** Whether the word before a list says that it is one of values: "the doses [5, 10]". */
function isValues(text: string | null, hasSources: boolean): boolean {
  const word = lastWord(text ?? "");
  return COLLECTIONS.has(word) || (!hasSources && MEASURES.has(word));
}

function lastWord(before: string): string {
  return LAST_WORD.exec(trimBlanks(before))?.[0].toLowerCase() ?? "";
}

/** Without blanks, opening brackets, and brackets that were left; the text is null where a call or an index opens. */
function textBefore(before: string): { text: string | null; isAfterLeft: boolean } {
  let text = trimBlanks(before);
  const length = text.length;
  for (let left = LEFT_BRACKET.exec(text); left; left = LEFT_BRACKET.exec(text)) {
    text = trimBlanks(text.slice(0, left.index));
  }
  return { text: withoutOpeners(text), isAfterLeft: text.length < length };
}

function readLead(text: string | null, isAttached: boolean): Lead {
  if (text === null) {
    return "open";
  }
  if (LINE_START.test(text)) {
    return "start";
  }
  if (/[\p{L}\p{M}\p{N}]$/u.test(text)) {
    return readWord(text);
  }
  if (/[:：]$/u.test(text)) {
    return LABELS.has(lastWord(text.slice(0, -1))) ? "report" : "open";
  }
  const isOpen = OPENS.test(text) || (isAttached ? OPENS_ATTACHED : PRODUCT).test(text);
  return isOpen ? "open" : COMMA.test(text) ? "comma" : "closed";
}

function readWord(text: string): Lead {
  const word = lastWord(text);
  if (COPULAS.has(word) || VARIABLE_IN.test(text)) {
    return "open";
  }
  const isObject = missingObject(text) !== null || REFERRING.test(text);
  if (isObject || REPORTING.has(word) || LABELS.has(word)) {
    return "report";
  }
  return AMOUNT.has(word) ? "amount" : JOINING.has(word) ? "comma" : "closed";
}

/** Without "(" and "[" right before the numbers; null where they open a call or an index. */
function withoutOpeners(text: string): string | null {
  const open = /[([]+$/.exec(text)?.[0].length ?? 0;
  if (open === 0) {
    return text;
  }
  const outer = text.slice(0, text.length - open);
  return /[\p{L}\p{N}_\])]$/u.test(outer) ? null : trimBlanks(outer);
}

function skipClosers(ahead: Lookahead, end: number): number {
  let at = end;
  while (/[)\]]/.test(ahead.charAt(at))) {
    at += 1;
  }
  return at;
}

function readRest(ahead: Lookahead, end: number): Rest {
  const at = ahead.skipBlanks(end);
  const sign = ahead.charAt(at);
  const isApart = at > end;
  if (sign === "" || /[\r\n|]/.test(sign)) {
    return "end";
  }
  if (OPERATOR.test(sign) || (isApart && sign === "*" && isBlank(ahead.charAt(at + 1)))) {
    return "value";
  }
  if (CLAUSE_END.test(sign)) {
    return isApart && /[*_`~<]/.test(sign) ? "sentence" : "clause";
  }
  return !isApart && /\d/.test(sign) ? "value" : readNext(ahead.letters(at, MAX_UNIT), isApart);
}

function readNext(word: string, isApart: boolean): Rest {
  const isUnit = QUANTIFIED.has(word) || QUANTIFIED.has(word.length > 2 ? word.toLowerCase() : "");
  if (isUnit || ADJOINING.test(word)) {
    return "value";
  }
  return isApart && /^\p{Lu}|^\p{Lo}/u.test(word) ? "sentence" : "word";
}
