import type { Token } from "./tokens";
import type { ContentTerm } from "./words";

export interface NegationCue {
  token: number;
  /** The first terms it negates: "not significantly reduce" negates both. */
  heads: readonly number[];
  /** All terms of its clause that it may negate. */
  scope: readonly number[];
  /** Absence can be expressed in other ways ("lack of X"), so a weak cue only counts in a repeated sentence. */
  isWeak: boolean;
}

const CUES = new Set(
  (
    "not no never neither nor without cannot none nobody nothing lack lacks lacked lacking absence absent " +
    "unable devoid non fails failed fail failing failure hardly scarcely barely deny denies denied"
  ).split(" "),
);
const WEAK =
  /^(?:lack|lacks|lacked|lacking|absence|absent|devoid|non|without|free|rather|instead)$/;
const ONLY_BEFORE_TO = /^fail(?:s|ed|ing|ure)?$/;
/** "Not only X but also Y" negates nothing. */
const NO_DENIAL_BEFORE = /^(?:only|just|merely|simply|necessarily|least)$/;
const PAIRS = new Map([
  ["rather", ["than"]],
  ["instead", ["of"]],
  ["free", ["of", "from"]],
]);
const CLAUSE_END =
  /^(?:[;:.!?()]|,|but|however|although|though|whereas|while|because|which|who|unless)$/;
const LIGHT = 0.5;
const MAX_HEADS = 3;
const REACH = 7;

/** Finds the negations of a sentence, except those of comparators ("no more than 5"). */
export function findNegations(
  tokens: readonly Token[],
  terms: readonly ContentTerm[],
  consumed: ReadonlySet<number>,
): NegationCue[] {
  const negations: NegationCue[] = [];
  let next = 0;
  for (const [at, token] of tokens.entries()) {
    while ((terms[next]?.token ?? Number.POSITIVE_INFINITY) <= at) {
      next += 1;
    }
    if (token.kind === "word" && !consumed.has(at) && isNegation(tokens, at)) {
      negations.push(negationAt(tokens, terms, { at, next }));
    }
  }
  const denied = terms.flatMap(({ word, token }, index) =>
    word.isNegated ? [{ token, heads: [index], scope: [index], isWeak: true }] : [],
  );
  return [...negations, ...denied];
}

function isNegation(tokens: readonly Token[], at: number): boolean {
  const word = tokens[at]?.lower ?? "";
  const after = tokens[at + 1]?.lower ?? "";
  if (!CUES.has(word) && !word.endsWith("n't")) {
    return PAIRS.get(word)?.includes(after) ?? false;
  }
  return ONLY_BEFORE_TO.test(word) ? after === "to" : !NO_DENIAL_BEFORE.test(after);
}

function negationAt(
  tokens: readonly Token[],
  terms: readonly ContentTerm[],
  { at, next }: { at: number; next: number },
): NegationCue {
  const scope: number[] = [];
  const heads: number[] = [];
  let isHeadFound = false;
  for (let index = next; index < Math.min(terms.length, next + REACH); index += 1) {
    const term = terms[index];
    const before = Math.max(terms[index - 1]?.token ?? 0, at);
    if (!term || endsClause(tokens, before, term.token)) {
      break;
    }
    scope.push(index);
    if (!isHeadFound && heads.length < MAX_HEADS) {
      heads.push(index);
      isHeadFound = term.word.weight >= LIGHT;
    }
  }
  return { token: at, heads, scope, isWeak: WEAK.test(tokens[at]?.lower ?? "") };
}

function endsClause(tokens: readonly Token[], from: number, to: number): boolean {
  for (let at = from + 1; at < to; at += 1) {
    const isOfReason = tokens[at]?.lower === "because" && tokens[at + 1]?.lower === "of";
    if (!isOfReason && CLAUSE_END.test(tokens[at]?.lower ?? "")) {
      return true;
    }
  }
  return false;
}
