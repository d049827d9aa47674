import type { NamedRow } from "@/lib/text/tables";
import type { AnalyzedPassage, SentenceAnalysis } from "./analyze-passage";
import type { Token } from "./tokens";

/** A verbatim part of a passage: `text === passage.slice(start, end)`, in UTF-16 offsets. */
export interface Quote {
  text: string;
  start: number;
  end: number;
}

interface Run {
  first: number;
  last: number;
}

const MIN_WORDS = 4;
/** Around a row: "| " and " |". */
const BAR = 2;
const CLAUSE_END = /^[,;:—]$/;
/** Leaving out a part of the sentence with one of these words would change its meaning. */
const CONDITION =
  /^(?:not|no|never|neither|nor|without|if|unless|except|only|may|might|could|although|though|unlikely|whether|n't|.*n't|fail(?:s|ed)?|lack(?:s|ed)?)$/;

/** The shortest clause, sentence or pair of neighboring sentences that contains the evidence. */
export function quoteOf(
  claim: SentenceAnalysis,
  analyzed: AnalyzedPassage,
  { sentences, mayJoin }: { sentences: readonly number[]; mayJoin: boolean },
): Quote | null {
  const analyses = sentences.flatMap((sentence) => analyzed.analyses[sentence] ?? []);
  const [first, second] = analyses;
  if (!first) {
    return null;
  }
  if (mayJoin && second && (sentences[1] ?? 0) - (sentences[0] ?? 0) === 1) {
    return sliceOf(analyzed, firstWord(first.tokens, 0), second.tokens.at(-1));
  }
  const best = second && countOf(claim, second) > countOf(claim, first) ? second : first;
  const run = clauseOf(best.tokens, shortestRun(claim, best));
  return sliceOf(analyzed, firstWord(best.tokens, run.first), best.tokens[run.last]);
}

/** Skips a list mark at the start. */
function firstWord(tokens: readonly Token[], from: number): Token | undefined {
  const next = tokens[from + 1];
  return next?.isSpaced && /^[-–—*•·‣◦]$/.test(tokens[from]?.text ?? "") ? next : tokens[from];
}

function sliceOf(
  { passage, folded, rows }: AnalyzedPassage,
  first: Token | undefined,
  last: Token | undefined,
): Quote | null {
  if (!first || !last) {
    return null;
  }
  const [from, to] = [folded.originalStart(first.start), folded.originalEnd(last.end)];
  const start = rowAt(rows, from)?.start ?? from;
  const end = rowAt(rows, to)?.end ?? to;
  return { text: passage.slice(start, end), start, end };
}

/** The row at a place, which may be its outer bars. */
function rowAt(rows: readonly NamedRow[], at: number): NamedRow | undefined {
  return rows.find(({ start, end }) => start - BAR <= at && at <= end + BAR);
}

/** The tokens of a sentence that match the claim, each with what it matches. */
function matchesOf(
  claim: SentenceAnalysis,
  { terms, quantities }: SentenceAnalysis,
): { token: number; target: string }[] {
  const wanted = new Map<string, string>();
  for (const { stem, keys } of claim.terms) {
    for (const key of keys) {
      wanted.set(key, wanted.get(key) ?? stem);
    }
  }
  const words = terms.flatMap(({ keys, token }) => {
    const key = keys.find((one) => wanted.has(one));
    return key ? [{ token, target: wanted.get(key) ?? "" }] : [];
  });
  const numbers = quantities
    .filter(({ key, value }) =>
      claim.quantities.some((one) => one.key === key && one.value === value),
    )
    .flatMap(({ first, next, key, value }) => [
      { token: first, target: `${key} ${value} begins` },
      { token: next - 1, target: `${key} ${value} ends` },
    ]);
  return [...words, ...numbers].sort((a, b) => a.token - b.token);
}

function countOf(claim: SentenceAnalysis, analysis: SentenceAnalysis): number {
  return new Set(matchesOf(claim, analysis).map(({ target }) => target)).size;
}

/** The shortest run of tokens that contains every match once, by two pointers. */
function shortestRun(claim: SentenceAnalysis, analysis: SentenceAnalysis): Run {
  const matches = matchesOf(claim, analysis);
  const missing = new Set(matches.map(({ target }) => target)).size;
  const counts = new Map<string, number>();
  let best: Run = { first: 0, last: analysis.tokens.length - 1 };
  let low = 0;
  for (const { token, target } of matches) {
    counts.set(target, (counts.get(target) ?? 0) + 1);
    let first = matches[low];
    while (first && (counts.get(first.target) ?? 0) > 1) {
      counts.set(first.target, (counts.get(first.target) ?? 0) - 1);
      low += 1;
      first = matches[low];
    }
    const start = first?.token ?? 0;
    if (counts.size === missing && token - start < best.last - best.first) {
      best = { first: start, last: token };
    }
  }
  return best;
}

/** The clauses that a run touches; the whole sentence if they are too short or depend on the rest. */
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
  if (words < MIN_WORDS || !isBare || isOpen) {
    return whole;
  }
  // Includes the final punctuation.
  return { first, last: last + 2 === tokens.length ? last + 1 : last };
}

/** Commas within numbers or names don't end a clause. */
function endsClause(tokens: readonly Token[], at: number): boolean {
  return CLAUSE_END.test(tokens[at]?.text ?? "") && tokens[at + 1]?.isSpaced === true;
}

function opensBracket(tokens: readonly Token[]): boolean {
  const count = (text: string) => tokens.filter((token) => token.text === text).length;
  return count("(") !== count(")") || count("[") !== count("]");
}
