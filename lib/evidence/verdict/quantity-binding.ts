import { numberKey, type SentenceAnalysis } from "./analyze-passage";
import type { Quantity } from "./quantities";
import { isCompatible } from "./quantity-check";
import { isGivenFor } from "./quantity-slots";
import type { Sentence } from "./sentences";
import type { ContentTerm } from "./words";

// Which of a source's numbers a claim's number stands for: the one in the same place, or with the same words around it.

/** Terms on each side of a number that tell what it describes. */
const NEIGHBORS = 4;
/** A number fits better if its words match this much more. */
const MARGIN = 1.15;
/** Longer than any real claim; bounds the work. */
const MAX_QUANTITIES = 12;

const MAX_COMPARISONS = 2_000;
const MAX_ADDED = 3;

interface QuantityContext {
  quantity: Quantity;
  /** The weight of each key around it: nearer words count more. */
  near: ReadonlyMap<string, number>;
}

/** Whether a number of the claim occurs in the sentences, but describes something else there. */
export function hasMisplacedQuantity(
  analyzed: SentenceAnalysis,
  sentences: readonly SentenceAnalysis[],
): boolean {
  const claim = without(analyzed, quantitiesMissingFrom(analyzed, sentences));
  const own = claim.quantities.slice(0, MAX_QUANTITIES);
  const given = own.map((quantity) => isGivenIn(quantity, claim, sentences));
  if (given.includes(false)) {
    return true;
  }
  const inPlace = given.includes(true) ? [] : repeatedNumbers(analyzed, sentences);
  if (inPlace.length > 0) {
    return !inPlace.includes(true);
  }
  const said = sentences.flatMap(contextsIn);
  return own.some((quantity, at) => {
    if (quantity.date || given[at]) {
      return false;
    }
    const rivals = said.filter(({ quantity: other }) => other.key === quantity.key);
    const [equal, others] = [
      rivals.filter((rival) => isCompatible(quantity, rival.quantity)),
      rivals.filter((rival) => !isCompatible(quantity, rival.quantity)),
    ];
    if (equal.length === 0 || others.length === 0) {
      return false;
    }
    const near = around(claim, quantity);
    const bestOf = (found: readonly QuantityContext[]) =>
      Math.max(...found.map((context) => overlapOf(near, context.near)));
    return bestOf(others) > MARGIN * bestOf(equal) && bestOf(others) > 0;
  });
}

/** Whether each sentence whose words the claim repeats has the claim's numbers in their places. */
function repeatedNumbers(
  analyzed: SentenceAnalysis,
  sentences: readonly SentenceAnalysis[],
): boolean[] {
  // Any of the numbers that no sentence has may have replaced one of theirs, or been added.
  const unsaid = quantitiesMissingFrom(analyzed, sentences);
  const added = unsaid.slice(-MAX_ADDED);
  const choices = Array.from({ length: 2 ** added.length }, (_, choice) =>
    added.filter((_, at) => (choice >> at) % 2 === 1),
  ).sort((one, other) => one.length - other.length);
  for (const left of [...choices, unsaid]) {
    const reading = without(analyzed, left);
    const inPlace = sentences.flatMap((sentence) => matchesTemplate(reading, sentence) ?? []);
    if (inPlace.length > 0) {
      return inPlace;
    }
  }
  return [];
}

/** Whether one of the sentences gives a number for what the claim is about; null if that isn't clear from any. */
function isGivenIn(
  quantity: Quantity,
  claim: SentenceAnalysis,
  sentences: readonly SentenceAnalysis[],
): boolean | null {
  const answers = sentences.map((sentence) => isGivenFor(quantity, claim, sentence));
  return answers.includes(true) ? true : answers.includes(false) ? false : null;
}

/** The claim's numbers that no sentence has; none if there are too many to compare. */
function quantitiesMissingFrom(
  claim: SentenceAnalysis,
  sentences: readonly SentenceAnalysis[],
): readonly Quantity[] {
  const said = sentences.flatMap(({ quantities }) => quantities);
  const isComparable = claim.quantities.length * said.length <= MAX_COMPARISONS;
  return isComparable
    ? claim.quantities.filter((own) => !said.some((other) => isCompatible(own, other)))
    : [];
}

function without(claim: SentenceAnalysis, left: readonly Quantity[]): SentenceAnalysis {
  const isLeft = (at: number) => left.some(({ first, next }) => first <= at && at < next);
  return left.length === 0
    ? claim
    : {
        ...claim,
        quantities: claim.quantities.filter(({ first }) => !isLeft(first)),
        tokens: claim.tokens.map((token, at) => (isLeft(at) ? { ...token, lower: "" } : token)),
      };
}

/** Whether each number is in the same place as in the sentence; null unless the claim repeats the sentence's words. */
function matchesTemplate(claim: SentenceAnalysis, sentence: SentenceAnalysis): boolean | null {
  const [own, said] = [readTemplate(claim), readTemplate(sentence)];
  const start = own.text.length > 1 ? said.text.indexOf(own.text) : -1;
  if (start < 0) {
    return null;
  }
  const before = said.text.slice(0, start).split(NUMBER).length - 1;
  return own.numbers.every((readings, at) =>
    readings.some((number) =>
      said.numbers[before + at]?.some((other) => isCompatible(number, other)),
    ),
  );
}

const NUMBER = "\0";

/** A sentence's words with a sign in place of each number, and the readings of each number: a date may have two. */
export function readTemplate({ tokens, quantities }: SentenceAnalysis): {
  text: string;
  numbers: Quantity[][];
} {
  const numbers = [...Map.groupBy(quantities, ({ first }) => first).values()];
  let text = " ";
  let end = 0;
  for (const [{ first, next } = { first: 0, next: 0 }] of numbers) {
    text += `${wordsOf(tokens.slice(end, first))}${NUMBER} `;
    end = Math.max(end, next);
  }
  return { text: text + wordsOf(tokens.slice(end)), numbers };
}

function wordsOf(tokens: Sentence): string {
  return tokens.map(({ lower }) => (/[\p{L}\p{N}]/u.test(lower) ? `${lower} ` : "")).join("");
}

const contexts = new WeakMap<SentenceAnalysis, readonly QuantityContext[]>();

function contextsIn(sentence: SentenceAnalysis): readonly QuantityContext[] {
  const known = contexts.get(sentence);
  if (known) {
    return known;
  }
  const found = sentence.quantities
    .slice(0, MAX_QUANTITIES * 2)
    .map((quantity) => ({ quantity, near: around(sentence, quantity) }));
  contexts.set(sentence, found);
  return found;
}

function around(
  { terms, tokens, quantities }: SentenceAnalysis,
  { first, next, key }: Quantity,
): Map<string, number> {
  const near = new Map<string, number>();
  // "41% at 90 days": another number may be all that tells them apart.
  for (const other of quantities.filter((each) => each.key !== key)) {
    const gap = other.first >= next ? other.first - next : first - other.next;
    if (gap >= 0 && gap <= 3) {
      near.set(`${other.first >= next ? ">" : "<"}${numberKey(other)}`, 1 / (gap + 1));
    }
  }
  const add = (term: ContentTerm, place: number, side: string) => {
    const isApart = tokens
      .slice(Math.min(term.token, first), Math.max(term.token, next))
      .some(({ lower }) => /^[,;:()]$/.test(lower));
    const weight = term.word.weight / (place + 1) / (isApart ? 2 : 1);
    for (const key of term.keys.filter((each) => !each.startsWith("^"))) {
      near.set(key, Math.max(weight, near.get(key) ?? 0));
      near.set(`${side}${key}`, Math.max(weight / 2, near.get(`${side}${key}`) ?? 0));
    }
  };
  const before = terms.filter(({ token }) => token < first).toReversed();
  const after = terms.filter(({ token }) => token >= next);
  for (const [place, term] of before.slice(0, NEIGHBORS).entries()) {
    add(term, place, "<");
  }
  for (const [place, term] of after.slice(0, NEIGHBORS).entries()) {
    add(term, place, ">");
  }
  return near;
}

function overlapOf(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  let fit = 0;
  for (const [key, weight] of one) {
    fit += Math.min(weight, other.get(key) ?? 0);
  }
  return fit;
}
