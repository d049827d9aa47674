import { readPacks } from "@/lib/packs";
import { numberKey, type SentenceAnalysis } from "./analyze-passage";
import roleWords from "./role-words.json" with { type: "json" };
import type { Token } from "./tokens";
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
const BE = /^(?:is|are|was|were|be|been|being)$/;
const MAX_PIVOTS = 8;
/** Tokens compared on each side of a pivot. */
const REACH = 6;

/** A verb or separator, and the words around it. For a passive verb, the words after "by" count as before it. */
interface Pivot {
  key: string;
  before: ReadonlySet<string>;
  after: ReadonlySet<string>;
}

/**
 * Whether a claim that repeats sentences exchanges words around a verb or separator: "B rather than A" for "A rather
 * than B", "A is caused by B" for "A causes B".
 */
export function exchangesAround(
  claim: SentenceAnalysis,
  repeated: readonly SentenceAnalysis[],
): boolean {
  const verbs = new Set([...VERBS, ...[claim, ...repeated].flatMap(passivesIn)]);
  const said = repeated.flatMap((sentence) => pivotsOf(sentence, verbs));
  return pivotsOf(claim, verbs).some((own) => {
    const [closest] = said
      .filter(({ key }) => key === own.key)
      .sort((one, other) => sharedWords(own, other) - sharedWords(own, one));
    return closest !== undefined && isExchanged(own, closest) && !said.some(isSameAs(own));
  });
}

/** A verb that occurs twice may have the same words around it in both orders. */
function isSameAs(own: Pivot): (other: Pivot) => boolean {
  return ({ key, before, after }) =>
    key === own.key && isEqual(before, own.before) && isEqual(after, own.after);
}

function isEqual(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((word) => other.has(word));
}

function pivotsOf(analysis: SentenceAnalysis, verbs: ReadonlySet<string>): Pivot[] {
  const stems = new Map(analysis.terms.map(({ token, stem }) => [token, stem]));
  const pivots = analysis.tokens.flatMap((_, at) => {
    const separator = separatorAt(analysis, at);
    if (separator) {
      return sidesOf(analysis, { key: separator, at, to: at + separator.split(" ").length });
    }
    const key = stems.get(at) ?? "";
    return verbs.has(key) && isVerb(analysis, at) ? sidesOf(analysis, { key, at, to: at + 1 }) : [];
  });
  return pivots.slice(0, MAX_PIVOTS);
}

function sidesOf(
  analysis: SentenceAnalysis,
  { key, at, to }: { key: string; at: number; to: number },
): Pivot {
  const isVerb = !SEPARATORS.has(key);
  const isTurned = isVerb && isPassive(analysis, at);
  const from = isTurned ? to + 1 : to;
  const left = analysis.tokens.slice(Math.max(0, at - REACH), at);
  const right = analysis.tokens.slice(from, from + REACH);
  const ends = ({ lower }: Token) => isVerb && CLAUSE.test(lower);
  const end = right.findIndex(ends);
  const before = wordsOf(left.slice(left.findLastIndex(ends) + 1));
  const after = wordsOf(end < 0 ? right : right.slice(0, end));
  return isTurned ? { key, before: after, after: before } : { key, before, after };
}

function separatorAt({ tokens }: SentenceAnalysis, at: number): string | undefined {
  const [first, second] = [tokens[at]?.lower ?? "", tokens[at + 1]?.lower ?? ""];
  return [`${first} ${second}`, first].find((words) => SEPARATORS.has(words));
}

/** "An increase in" and "the activation of" are nouns. */
function isVerb({ tokens }: SentenceAnalysis, at: number): boolean {
  const [before, after] = [tokens[at - 1]?.lower ?? "", tokens[at + 1]?.lower ?? ""];
  return !(/^(?:a|an|the|this|that|its|their|no|of|in)$/.test(before) || /^(?:of|in)$/.test(after));
}

/** Begins another clause, whose verb has sides of its own. */
const CLAUSE = /^(?:;|and|but|while|whereas|after|before|because|which|who|that)$/;

/** May stand between "is" and the verb. */
const ADVERB = /(?:ly|^not|^also|^often|^then|^still|^always|^never|^now)$/;

function isPassive({ tokens }: SentenceAnalysis, at: number): boolean {
  const before = tokens.slice(Math.max(0, at - 3), at);
  const helper = before.findLast(({ lower }) => !ADVERB.test(lower));
  return tokens[at + 1]?.lower === "by" && BE.test(helper?.lower ?? "");
}

/** The stems of the verbs that are passive in a sentence. */
function passivesIn(analysis: SentenceAnalysis): string[] {
  return analysis.terms.flatMap(({ token, stem }) => (isPassive(analysis, token) ? stem : []));
}

/** Whether a verb is passive in only one of two sentences, which then name its sides the other way around. */
function differInVoice(one: SentenceAnalysis, other: SentenceAnalysis): boolean {
  const [own, said] = [one, other].map((analysis) => new Set(passivesIn(analysis)));
  return one.terms.some(
    ({ stem }) =>
      own?.has(stem) !== said?.has(stem) && other.terms.some((term) => term.stem === stem),
  );
}

function wordsOf(tokens: readonly Token[]): Set<string> {
  return new Set(
    tokens.flatMap(({ kind, lower }, at) => {
      const isDenied = tokens[at - 1]?.text === "-" && tokens[at - 2]?.lower === "non";
      return kind === "mark" || lower === "non" ? [] : isDenied ? `non-${lower}` : lower;
    }),
  );
}

function sharedWords(one: Pivot, other: Pivot): number {
  const all = new Set([...other.before, ...other.after]);
  return [...one.before, ...one.after].filter((word) => all.has(word)).length;
}

/** Whether at least one word of each side is on the other side only. */
function isExchanged(one: Pivot, other: Pivot): boolean {
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
  if (differInVoice(claim, sentence)) {
    return false;
  }
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
