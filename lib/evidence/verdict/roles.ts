import { readPacks } from "@/lib/packs";
import { oncePer } from "@/lib/text/memoized";
import type { SentenceAnalysis } from "./analyze-passage";
import roleWords from "./role-words.json" with { type: "json" };
import type { ContentTerm } from "./words";
import { stemOf } from "./words";

/** Verbs whose two sides can't be exchanged: "A causes B". */
const VERBS = new Set(
  roleWords.verbs
    .split(" ")
    .concat(readPacks("words").verbs)
    .flatMap((verb) => stemOf(verb) ?? []),
);
/** Words between two things of which one is preferred: "A rather than B". */
const SEPARATORS = new Set(roleWords.separators.split(", "));
const LIGHT = 0.5;
/** Compared on each side of the verb or separator. */
const NEAR_TERMS = 3;
const BE = /^(?:is|are|was|were|be|been|being)$/;
const MAX_PIVOTS = 8;

/** A verb or separator with the content terms nearest to it. */
interface Pivot {
  key: string;
  /** Its tokens in the sentence, end exclusive. */
  from: number;
  to: number;
  before: readonly ContentTerm[];
  after: readonly ContentTerm[];
  isPassive: boolean;
}

/**
 * Whether a claim exchanges who does what to whom, as in "B causes A" or "B rather than A": `roles`, or `comparison` for
 * "B than A", which a direction may turn back: "A is higher than B" is "B is lower than A".
 */
export function exchangeOf(
  claim: SentenceAnalysis,
  analyses: readonly SentenceAnalysis[],
): "roles" | "comparison" | null {
  const said = analyses.flatMap(pivotsOf);
  const exchanged = pivotsOf(claim).find((pivot) => {
    const same = said
      .filter(({ key }) => key === pivot.key)
      .map((other) => (other.isPassive === pivot.isPassive ? other : turned(other)));
    return (
      same.some((other) => isExchanged(pivot, other)) &&
      !same.some((other) => isExchanged(pivot, turned(other)))
    );
  });
  if (!exchanged) {
    return null;
  }
  return exchanged.key === COMPARISON ? "comparison" : "roles";
}

export const COMPARISON = "than";

function turned(pivot: Pivot): Pivot {
  return { ...pivot, before: pivot.after, after: pivot.before };
}

/** Whether what is nearest on each side is on the other side. */
function isExchanged(one: Pivot, { before, after }: Pivot): boolean {
  return moves(one.before, before, after) && moves(one.after, after, before);
}

function moves(
  [nearest]: readonly ContentTerm[],
  from: readonly ContentTerm[],
  to: readonly ContentTerm[],
): boolean {
  return nearest !== undefined && includes(to, nearest) && !includes(from, nearest);
}

function includes(terms: readonly ContentTerm[], wanted: ContentTerm): boolean {
  return terms.some(
    ({ stem, keys, word }) =>
      word.isNegated === wanted.word.isNegated &&
      (stem === wanted.stem || keys.some((key) => !/^[~^]/.test(key) && wanted.keys.includes(key))),
  );
}

/** Read once for each sentence, however many claims are compared with it. */
export const pivotsOf = oncePer(readPivots);

function readPivots(analysis: SentenceAnalysis): Pivot[] {
  const pivots: Pivot[] = [];
  const byToken = new Map(analysis.terms.map((term) => [term.token, term]));
  for (let at = 0; at < analysis.tokens.length && pivots.length < MAX_PIVOTS; at += 1) {
    const pivot = separatorAt(analysis, at) ?? verbAt(analysis, at, byToken.get(at));
    if (pivot) {
      pivots.push(pivot);
    }
  }
  return pivots;
}

function separatorAt({ tokens, terms }: SentenceAnalysis, at: number): Pivot | null {
  const [first, second] = [tokens[at]?.lower ?? "", tokens[at + 1]?.lower ?? ""];
  const key = [`${first} ${second}`, first].find((words) => SEPARATORS.has(words));
  const to = at + (key?.split(" ").length ?? 0);
  return key ? { key, from: at, to, isPassive: false, ...sidesOf(terms, at, to) } : null;
}

function verbAt(
  { tokens, terms }: SentenceAnalysis,
  at: number,
  term: ContentTerm | undefined,
): Pivot | null {
  if (!term || !VERBS.has(term.stem)) {
    return null;
  }
  const [before, after] = [tokens[at - 1]?.lower ?? "", tokens[at + 1]?.lower ?? ""];
  // "An increase in", "the activation of": a noun.
  if (/^(?:a|an|the|this|that|its|their|no|of|in)$/.test(before) || /^(?:of|in)$/.test(after)) {
    return null;
  }
  const isPassive =
    after === "by" && tokens.slice(Math.max(0, at - 3), at).some(({ lower }) => BE.test(lower));
  return { key: `=${term.stem}`, from: at, to: at + 1, isPassive, ...sidesOf(terms, at, at + 1) };
}

/** The nearest telling terms that only one side has, nearest first. */
function sidesOf(terms: readonly ContentTerm[], first: number, next: number) {
  const telling = terms.filter(({ word, direction }) => word.weight >= LIGHT && !direction);
  const before = telling.filter(({ token }) => token < first).slice(-NEAR_TERMS);
  const after = telling.filter(({ token }) => token >= next).slice(0, NEAR_TERMS);
  // In "exercised rats than control rats", the rats tell nothing.
  return {
    before: before.filter((term) => !includes(after, term)).reverse(),
    after: after.filter((term) => !includes(before, term)),
  };
}
