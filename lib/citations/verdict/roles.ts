import type { SentenceAnalysis } from "./analyze-passage";
import roleWords from "./role-words.json" with { type: "json" };
import type { ContentTerm } from "./words";
import { stemOf } from "./words";

/** Verbs whose two sides can't be exchanged: "A causes B". */
const VERBS = new Set(roleWords.verbs.split(" ").flatMap((verb) => stemOf(verb) ?? []));
/** Words between two things of which one is preferred: "A rather than B". */
const SEPARATORS = new Set(roleWords.separators.split(", "));
const LIGHT = 0.5;
/** Compared on each side of the verb or separator. */
const NEAR_TERMS = 2;
const BE = /^(?:is|are|was|were|be|been|being)$/;
const MAX_PIVOTS = 8;

/** A verb or separator with the content terms nearest to it. */
interface Pivot {
  key: string;
  before: readonly ContentTerm[];
  after: readonly ContentTerm[];
  isPassive: boolean;
}

/** Whether a claim exchanges who does what to whom: "B causes A", "B rather than A". */
export function swapsRoles(
  claim: SentenceAnalysis,
  analyses: readonly SentenceAnalysis[],
): boolean {
  const said = analyses.flatMap(pivotsOf);
  return pivotsOf(claim).some((pivot) => {
    const same = said.filter(({ key }) => key === pivot.key);
    return same.length > 0 && same.every((other) => isExchanged(pivot, other));
  });
}

function isExchanged(one: Pivot, other: Pivot): boolean {
  const [before, after] =
    one.isPassive === other.isPassive ? [other.before, other.after] : [other.after, other.before];
  return moves(one.before, before, after) && moves(one.after, after, before);
}

/** Whether a term is on the second side and not on the first, and none stays on the first. */
function moves(
  terms: readonly ContentTerm[],
  from: readonly ContentTerm[],
  to: readonly ContentTerm[],
): boolean {
  const isOn = (side: readonly ContentTerm[]) => (term: ContentTerm) => includes(side, term);
  return terms.some(isOn(to)) && !terms.some(isOn(from));
}

function includes(terms: readonly ContentTerm[], wanted: ContentTerm): boolean {
  return terms.some(
    ({ stem, keys }) =>
      stem === wanted.stem || keys.some((key) => !/^[~^]/.test(key) && wanted.keys.includes(key)),
  );
}

function pivotsOf(analysis: SentenceAnalysis): Pivot[] {
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
  return key ? { key, isPassive: false, ...sidesOf(terms, at, at + key.split(" ").length) } : null;
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
  return { key: `=${term.stem}`, isPassive, ...sidesOf(terms, at, at + 1) };
}

/** The nearest telling terms on both sides, nearest first. */
function sidesOf(terms: readonly ContentTerm[], first: number, next: number) {
  const telling = terms.filter(({ word, direction }) => word.weight >= LIGHT && !direction);
  return {
    before: telling
      .filter(({ token }) => token < first)
      .slice(-NEAR_TERMS)
      .reverse(),
    after: telling.filter(({ token }) => token >= next).slice(0, NEAR_TERMS),
  };
}
