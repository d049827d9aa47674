import sentenceWords from "./sentence-words.json" with { type: "json" };
import type { Token } from "./tokens";

export type Sentence = readonly Token[];

/** Longer sentences are cut, which bounds the time on text without punctuation. */
const LONGEST = 120;
const ABBREVIATIONS = new Set(sentenceWords.abbreviations);
/** After a lone capital or an abbreviation, only these words start a sentence: "vitamin K. The". */
const STARTERS = new Set(sentenceWords.starters);
const MAY_STAND_ABBREVIATED = new Set(["al", "etc", "no"]);

/**
 * Splits at end marks, blank lines and list items, never at a single line break. `whole`: where each part that is one
 * sentence begins and ends, in tokens.
 */
export function splitSentences(
  text: string,
  tokens: readonly Token[],
  whole: ReadonlyMap<number, number> = new Map(),
): Sentence[] {
  const sentences: Sentence[] = [];
  let first = 0;
  let end = whole.get(0) ?? 0;
  for (let at = 1; at <= tokens.length; at += 1) {
    const isBreak = at === end || whole.has(at) || (at > end && isBoundary(text, tokens, at));
    if (at === tokens.length || at - first >= LONGEST || isBreak) {
      sentences.push(tokens.slice(first, at));
      first = at;
    }
    end = whole.get(at) ?? end;
  }
  return sentences.filter((sentence) => sentence.some(({ kind }) => kind !== "mark"));
}

function isBoundary(text: string, tokens: readonly Token[], at: number): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]];
  const mayBreak = before && token?.isSpaced;
  return mayBreak ? breaksLine(text, before.end, token.start) || endsSentence(tokens, at) : false;
}

/** A blank line, or a line that starts as a list item, row or heading. */
function breaksLine(text: string, from: number, to: number): boolean {
  const gap = text.slice(from, Math.min(to, from + 40));
  return (
    gap.includes("\n") &&
    (/\n[^\S\n]*\n/.test(gap) || /^(?:[-*•|#+>]|\d{1,2}[.)])\s?/.test(text.slice(to, to + 4)))
  );
}

function endsSentence(tokens: readonly Token[], at: number): boolean {
  let mark = at - 1;
  while (mark > at - 4 && /^["')\]]$/.test(tokens[mark]?.text ?? "")) {
    mark -= 1;
  }
  const end = tokens[mark]?.text ?? "";
  return end === "."
    ? !isShortened(tokens, mark, at)
    : /^[!?。！？]$/.test(end) && startsUpper(tokens, at);
}

function isShortened(tokens: readonly Token[], mark: number, at: number): boolean {
  const [said, next] = [tokens[mark - 1], tokens[at]];
  const isInitial = said?.text.length === 1;
  const isShort = said && (isInitial || ABBREVIATIONS.has(said.lower));
  if (!isShort || said.kind !== "word" || tokens[mark]?.isSpaced) {
    return !startsUpper(tokens, at);
  }
  const mayEnd = isInitial ? /\p{Lu}/u.test(said.text) : MAY_STAND_ABBREVIATED.has(said.lower);
  return !(mayEnd && next && /^\p{Lu}/u.test(next.text) && STARTERS.has(next.lower));
}

/** "eGFR", a number or a bracket can start a sentence too. */
function startsUpper(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at];
  return Boolean(next) && !/^(?:\p{Ll}(?!\p{Lu}|\d)|[,;:%)])/u.test(next?.text ?? "");
}
