import { numberKey, type SentenceAnalysis } from "./analyze-passage";
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

const ARTICLE = /^(?:a|an|the)$/;
const COORDINATOR = /^(?:,|;|and|or)$/;
/** Says nothing of who does what to whom: "A is associated with B". */
const SYMMETRIC =
  /^(?:,|;|and|or|nor|is|are|was|were|be|been|also|not|no|that|which|has|have|had|as|of|in|on|at|with|to|from|between|called|named|termed|known|related|associated|linked|correlated|correlates?|interacts?|similar|equal|identical|different|differs?|versus|vs|both|together)$/;

/** Whether a claim has the words of a sentence with two parts exchanged around others: "B damages A" for "A damages B". */
export function exchangesParts(claim: SentenceAnalysis, sentence: SentenceAnalysis): boolean {
  const asked = plainWords(claim, lackingIn(claim, sentence));
  const [own, said] = withoutCommonEnds(...inCommon(asked, plainWords(sentence)));
  const measured = new Set(
    sentence.quantities.flatMap(({ first, next }) =>
      sentence.tokens.slice(first, next).map(({ lower }) => lower),
    ),
  );
  const relates = (word: string) => !SYMMETRIC.test(word) && !measured.has(word);
  const isAt = (words: readonly string[], at: number, part: readonly string[]) =>
    part.every((word, offset) => words[at + offset] === word);
  const size = own.length;
  for (let last = 1; last <= size - 2; last += 1) {
    const ending = said.slice(size - last);
    for (let first = 1; isAt(own, 0, ending) && first <= size - last - 1; first += 1) {
      const middle = said.slice(first, size - last);
      if (
        isAt(own, last, middle) &&
        isAt(own, size - first, said.slice(0, first)) &&
        middle.some(relates) &&
        !isListed(middle)
      ) {
        return true;
      }
    }
  }
  return false;
}

/** The words that two lists share; none if one has some of them more often, because then it's unclear which belong together. */
function inCommon(one: readonly string[], other: readonly string[]): [string[], string[]] {
  const [own, said] = [countsOf(one), countsOf(other)];
  const isUnclear = [...own].some(([word, times]) => said.has(word) && said.get(word) !== times);
  return isUnclear
    ? [[], []]
    : [one.filter((word) => said.has(word)), other.filter((word) => own.has(word))];
}

function countsOf(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** "A, B and C" may come in any order. */
function isListed(middle: readonly string[]): boolean {
  return COORDINATOR.test(middle[0] ?? "") && COORDINATOR.test(middle.at(-1) ?? "");
}

/** The tokens of a claim's quantities whose number a sentence lacks: another "mg" says nothing of the first. */
function lackingIn(claim: SentenceAnalysis, sentence: SentenceAnalysis): ReadonlySet<Token> {
  const said = new Set(sentence.quantities.map(numberKey));
  return new Set(
    claim.quantities.flatMap((quantity) =>
      said.has(numberKey(quantity)) ? [] : claim.tokens.slice(quantity.first, quantity.next),
    ),
  );
}

function plainWords(
  { tokens }: SentenceAnalysis,
  without: ReadonlySet<Token> = new Set(),
): string[] {
  return tokens.flatMap((token) => {
    const isMark = token.kind === "mark" && !COORDINATOR.test(token.lower);
    return isMark || ARTICLE.test(token.lower) || without.has(token) ? [] : token.lower;
  });
}

function withoutCommonEnds(one: readonly string[], other: readonly string[]): [string[], string[]] {
  let [start, end] = [0, 0];
  const length = Math.min(one.length, other.length);
  while (start < length && one[start] === other[start]) {
    start += 1;
  }
  while (end < length - start && one.at(-1 - end) === other.at(-1 - end)) {
    end += 1;
  }
  return [one.slice(start, one.length - end), other.slice(start, other.length - end)];
}
