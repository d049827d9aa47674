import type { SentenceAnalysis } from "./analyze-passage";
import { COMPARISON, pivotsOf } from "./roles";
import type { Token } from "./tokens";

/** Tokens compared on each side of a pivot. */
const REACH = 6;

interface Sides {
  key: string;
  isComparison: boolean;
  before: ReadonlySet<string>;
  after: ReadonlySet<string>;
}

/**
 * Whether a claim that repeats sentences exchanges words around a verb or separator: "B rather than A" for "A rather
 * than B". Unlike `exchangeOf`, counts every word, which only tells in a repeated sentence.
 */
export function exchangedAround(
  claim: SentenceAnalysis,
  repeated: readonly SentenceAnalysis[],
): "roles" | "comparison" | null {
  if (repeated.length === 0) {
    return null;
  }
  const said = repeated.flatMap(sidesOf);
  const exchanged = sidesOf(claim).find((own) => {
    const [closest] = said
      .filter(({ key }) => key === own.key)
      .sort((one, other) => sharedWords(own, other) - sharedWords(own, one));
    return closest !== undefined && isExchanged(own, closest) && !said.some(isSameAs(own));
  });
  if (!exchanged) {
    return null;
  }
  return exchanged.isComparison ? "comparison" : "roles";
}

/** A verb that occurs twice may have the same words around it in both orders. */
function isSameAs(own: Sides): (other: Sides) => boolean {
  return ({ key, before, after }) =>
    key === own.key && isEqual(before, own.before) && isEqual(after, own.after);
}

function isEqual(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((word) => other.has(word));
}

function sidesOf(analysis: SentenceAnalysis): Sides[] {
  return pivotsOf(analysis).map(({ key, isPassive, from, to }) => ({
    key: `${key} ${isPassive}`,
    isComparison: key === COMPARISON,
    before: wordsOf(analysis.tokens.slice(Math.max(0, from - REACH), from)),
    after: wordsOf(analysis.tokens.slice(to, to + REACH)),
  }));
}

function wordsOf(tokens: readonly Token[]): Set<string> {
  return new Set(
    tokens.flatMap(({ kind, lower }, at) => {
      const isDenied = tokens[at - 1]?.text === "-" && tokens[at - 2]?.lower === "non";
      return kind === "mark" || lower === "non" ? [] : isDenied ? `non-${lower}` : lower;
    }),
  );
}

function sharedWords(one: Sides, other: Sides): number {
  const all = new Set([...other.before, ...other.after]);
  return [...one.before, ...one.after].filter((word) => all.has(word)).length;
}

/** Whether at least one word of each side is on the other side only. */
function isExchanged(one: Sides, other: Sides): boolean {
  return (
    moves(one.before, { from: other.before, to: other.after }) &&
    moves(one.after, { from: other.after, to: other.before })
  );
}

function moves(
  words: ReadonlySet<string>,
  { from, to }: { from: ReadonlySet<string>; to: ReadonlySet<string> },
): boolean {
  return [...words].some((word) => to.has(word) && !from.has(word));
}
