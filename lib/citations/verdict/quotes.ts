import type { AnalyzedPassage } from "./analyze-passage";
import type { SentenceAnalysis } from "./analyze-sentence";
import type { Token } from "./tokens";
import type { ContentTerm } from "./words";

/** A verbatim run of a passage, in its UTF-16 offsets: `text === passage.slice(start, end)`. */
export interface Quote {
  text: string;
  start: number;
  end: number;
}

interface Run {
  first: number;
  last: number;
}

const LEAST_WORDS = 4;
const CLAUSE_END = /^[,;:—]$/;
/** A clause without these words of its sentence could say more than the sentence does. */
const CONDITION =
  /^(?:not|no|never|neither|nor|without|if|unless|except|only|may|might|could|although|though|unlikely|whether|n't|.*n't|fail(?:s|ed)?|lack(?:s|ed)?)$/;

/** The shortest clause, sentence or pair of neighbouring sentences that holds what they say of the claim. */
export function quoteOf(
  claim: SentenceAnalysis,
  prepared: AnalyzedPassage,
  { sentences, mayJoin }: { sentences: readonly number[]; mayJoin: boolean },
): Quote | null {
  const readings = sentences.flatMap((sentence) => prepared.readings[sentence] ?? []);
  const [first, second] = readings;
  if (!first) {
    return null;
  }
  if (mayJoin && second && (sentences[1] ?? 0) - (sentences[0] ?? 0) === 1) {
    return sliceOf(prepared, firstWord(first.tokens, 0), second.tokens.at(-1));
  }
  const best = second && countOf(claim, second) > countOf(claim, first) ? second : first;
  const run = clauseOf(best.tokens, shortestRun(claim, best));
  return sliceOf(prepared, firstWord(best.tokens, run.first), best.tokens[run.last]);
}

/** A quote does not begin with the mark of a list's item. */
function firstWord(tokens: readonly Token[], from: number): Token | undefined {
  const next = tokens[from + 1];
  return next?.isSpaced && /^[-–—*•·‣◦]$/.test(tokens[from]?.text ?? "") ? next : tokens[from];
}

function sliceOf(
  { passage, folded }: AnalyzedPassage,
  first: Token | undefined,
  last: Token | undefined,
): Quote | null {
  if (!first || !last) {
    return null;
  }
  const [start, end] = [folded.startOf(first.start), folded.endOf(last.end)];
  return { text: passage.slice(start, end), start, end };
}

/** The tokens of a sentence that say something of the claim, each with what it says. */
function hitsOf(
  claim: SentenceAnalysis,
  { items, quantities }: SentenceAnalysis,
): { token: number; what: string }[] {
  const wanted = new Map<string, string>();
  for (const { stem, keys } of claim.items) {
    for (const key of keys) {
      wanted.set(key, wanted.get(key) ?? stem);
    }
  }
  const terms = items.flatMap(({ keys, token }: ContentTerm) => {
    const key = keys.find((one) => wanted.has(one));
    return key ? [{ token, what: wanted.get(key) ?? "" }] : [];
  });
  const numbers = quantities
    .filter(({ key, value }) =>
      claim.quantities.some((one) => one.key === key && one.value === value),
    )
    .flatMap(({ first, next, key, value }) => [
      { token: first, what: `${key} ${value} begins` },
      { token: next - 1, what: `${key} ${value} ends` },
    ]);
  return [...terms, ...numbers].sort((a, b) => a.token - b.token);
}

function countOf(claim: SentenceAnalysis, reading: SentenceAnalysis): number {
  return new Set(hitsOf(claim, reading).map(({ what }) => what)).size;
}

/** The shortest run of tokens that holds each hit once: two pointers over the hits. */
function shortestRun(claim: SentenceAnalysis, reading: SentenceAnalysis): Run {
  const hits = hitsOf(claim, reading);
  const missing = new Set(hits.map(({ what }) => what)).size;
  const held = new Map<string, number>();
  let best: Run = { first: 0, last: reading.tokens.length - 1 };
  let low = 0;
  for (const { token, what } of hits) {
    held.set(what, (held.get(what) ?? 0) + 1);
    for (let first = hits[low]; first && (held.get(first.what) ?? 0) > 1; first = hits[low]) {
      held.set(first.what, (held.get(first.what) ?? 0) - 1);
      low += 1;
    }
    const start = hits[low]?.token ?? 0;
    if (held.size === missing && token - start < best.last - best.first) {
      best = { first: start, last: token };
    }
  }
  return best;
}

/** The clauses that a run touches; the whole sentence when they are too short or depend on the rest. */
function clauseOf(tokens: readonly Token[], run: Run): Run {
  const whole = { first: 0, last: tokens.length - 1 };
  let { first, last } = run;
  while (first > 0 && !endsClause(tokens, first - 1)) {
    first -= 1;
  }
  while (last < tokens.length - 1 && !endsClause(tokens, last + 1)) {
    last += 1;
  }
  const words = tokens.slice(first, last + 1).filter(({ kind }) => kind !== "mark").length;
  const dropped = [...tokens.slice(0, first), ...tokens.slice(last + 1)];
  const isBare = !dropped.some(({ lower }) => CONDITION.test(lower));
  const isOpen = opensBracket(tokens.slice(first, last + 1));
  if (words < LEAST_WORDS || !isBare || isOpen) {
    return whole;
  }
  // What ends the sentence belongs to its last clause.
  return { first, last: last + 2 === tokens.length ? last + 1 : last };
}

/** A comma within a number or a name ends nothing. */
function endsClause(tokens: readonly Token[], at: number): boolean {
  return CLAUSE_END.test(tokens[at]?.text ?? "") && tokens[at + 1]?.isSpaced === true;
}

function opensBracket(tokens: readonly Token[]): boolean {
  const count = (text: string) => tokens.filter((token) => token.text === text).length;
  return count("(") !== count(")") || count("[") !== count("]");
}
