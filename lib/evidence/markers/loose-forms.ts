import { escapeDelimiters } from "@/lib/text/escape-delimiters";
import { Lookahead } from "./lookahead";
import { type Marker, parseMarker, parseParentheses, parseSeparator } from "./parse-marker";

/** Longer than the links of rendered answers, which models repeat. */
export const MAX_LINKED_LENGTH = 256;
/** How many of "(1), (2)" are looked at to see what follows them. */
const MAX_GROUP = 4;

/** "[[1](https://…)]" and "[[1]](https://…)": a link whose text is a marker. */
export function parseLinked(ahead: Lookahead, at: number): Marker | null {
  const isDouble = ahead.charAt(at) === "[" && ahead.charAt(at + 1) === "[";
  const marker = isDouble ? parseMarker(ahead, at + 1) : null;
  if (!marker) {
    return null;
  }
  const isClosed = ahead.charAt(marker.end) === "]";
  const target = skipTarget(ahead, isClosed ? marker.end + 1 : marker.end);
  if (target === null || (!isClosed && ahead.charAt(target) !== "]")) {
    return null;
  }
  const end = isClosed ? target : target + 1;
  return { ...marker, end, isLabeled: true, isSquare: false, isPlain: false };
}

/** "[1](#source-1)": a marker that links to a list of sources. */
export function parseAnchored(ahead: Lookahead, marker: Marker): Marker | null {
  if (ahead.charAt(marker.end) !== "(" || ahead.charAt(marker.end + 1) !== "#") {
    return null;
  }
  const end = skipTarget(ahead, marker.end);
  let target = "";
  for (let next = marker.end + 2; end !== null && next < end - 1; next += 1) {
    target += ahead.charAt(next);
  }
  const isSource = end !== null && ANCHOR.exec(target)?.[1] === String(marker.ranges[0]?.[0]);
  return isSource ? { ...marker, end, isLabeled: true, isSquare: false, isPlain: false } : null;
}

const ANCHOR =
  /^(?:user-content-)?(?:source|src|cit(?:e|ation)|ref(?:erence)?|fn|footnote|note|doc)?[-_:]?(\d{1,3})$/i;

/** Skips "(https://…)", "(/…)" or "(#…)". */
function skipTarget(ahead: Lookahead, start: number): number | null {
  const isTarget =
    ahead.charAt(start) === "(" &&
    ["https://", "http://", "/", "#"].some((scheme) => ahead.startsWith(start + 1, scheme));
  let end = start + 1;
  while (isTarget && /[^\s()[\]<>]/.test(ahead.charAt(end))) {
    end += 1;
  }
  return isTarget && ahead.charAt(end) === ")" ? end + 1 : null;
}

/** Numbers in parentheses that sources have themselves. */
interface OwnParentheses {
  plain: boolean;
  labeled: boolean;
}

/** What numbers in parentheses can mean in an answer, as far as it has come. */
export class BracketStyle {
  /** It has markers in square brackets, so its parentheses are something else. */
  isSquare = false;
  /** It has numbers in parentheses that aren't citations, such as those of a list. */
  isOther = false;
  /** It has raised markers: "stroke¹". */
  isRaised = false;
  #own: OwnParentheses | null = null;

  /** An answer may repeat what `sourceTexts` have in parentheses, where a prompt also puts their markers. */
  constructor(
    private readonly sourceTexts: readonly string[],
    private readonly sourceCount: number,
  ) {}

  /** Read when the first parentheses come: hardly any answer has some. */
  get own(): OwnParentheses {
    this.#own ??= this.#read();
    return this.#own;
  }

  #read(): OwnParentheses {
    const own = { plain: false, labeled: false };
    // As stored, and as the model saw them.
    for (const text of this.sourceTexts.flatMap((each) => [each, escapeDelimiters(each)])) {
      for (const [written] of text.matchAll(PARENTHESES)) {
        const ahead = new Lookahead(written, written.length, true);
        const marker = parseParentheses(ahead, 0);
        const isSource = marker?.ranges.flat().every((number) => number <= this.sourceCount);
        own.labeled ||= marker?.isLabeled === true;
        own.plain ||= isSource === true;
      }
    }
    return own;
  }
}

const PARENTHESES = /\([^()\n]{1,64}\)/g;

/** "equation (1)": numbers of something else, in the languages that answers are mostly in. */
const NUMBERED =
  /(?<!\p{L})(?:abb|abbildung|abschnitt|appendix|art|artikel|case|chapter|class|coordinates?|criteri(?:on|a)|ecuación|eq|eqs|equations?|equazione|équation|étape|fase|fig|figs|figur[ae]s?|figures?|formel|formula[es]?|gleichung|grad[eo]?s?|groups?|grupp[eo]|items?|kapitel|levels?|methods?|niveau|notes?|numbers?|options?|paso|parts?|phases?|points?|punkt|questions?|rules?|schritt|scores?|sections?|stadium|stages?|stap|steps?|stufe|tab|tabelle|tables?|tabla|theorem|types?|typ)\.?\s?$/iu;
/** A citation follows a word, and the next sentence can't begin with it. */
const AFTER_WORD =
  /[\p{L}"”’»*_)](?:\s|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]))$/u;
const AFTER_SENTENCE = /[.!?。！？]["”’»*_)]?\s$/u;

/**
 * "(1)" and "(Source 1)". Without a label it is a citation only where a sentence or clause ends, in an answer that has
 * no other use for numbers in brackets. `isNext` after another marker.
 */
export function parseParenthesized(
  ahead: Lookahead,
  at: number,
  { before, isNext, style }: { before: string; isNext: boolean; style: BracketStyle },
): Marker | "other" | null {
  const marker = parseParentheses(ahead, at);
  const isRange = marker?.ranges.some(([from, to]) => from !== to);
  if (!marker || marker.isLabeled) {
    // "(ref 4-11)" is what a value is compared with.
    const isValue = isRange && /^ref/i.test(ahead.letters(at + 1, 3));
    return isValue || (marker && style.own.labeled) ? null : marker;
  }
  const isPlace =
    !style.isSquare &&
    !style.isOther &&
    !style.own.plain &&
    !isRange &&
    !NUMBERED.test(before) &&
    isEnd(ahead, marker.end, { isSentence: AFTER_SENTENCE.test(before) }) &&
    (isNext || AFTER_WORD.test(before) || AFTER_SENTENCE.test(before));
  return isPlace ? marker : "other";
}

/** Whether a clause ends after a marker and those that follow it; after a sentence, whether the line does. */
function isEnd(ahead: Lookahead, start: number, { isSentence }: { isSentence: boolean }): boolean {
  let end = start;
  for (let count = 0; count < MAX_GROUP; count += 1) {
    const next = parseParentheses(ahead, parseSeparator(ahead, end)?.end ?? end);
    if (!next) {
      break;
    }
    end = next.end;
  }
  const sign = ahead.charAt(end);
  if (sign === "" || sign === "\n") {
    return true;
  }
  const isClause = /[.,;!?。，；！？]/.test(sign);
  return !isSentence && isClause && !/[\p{L}\p{N}]/u.test(ahead.charAt(end + 1));
}
