import type { SentenceAnalysis } from "./analyze-passage";
import type { Quantity } from "./quantities";
import { isCompatible, isEqual } from "./quantity-check";
import { namesOf } from "./subject-names";
import type { ContentTerm } from "./words";

// A sentence may give one number for one thing and another for the next: "500 mg for adults and 250 mg for children".

const COORDINATOR = /^(?:[;,]|and|or|but|while|whereas|versus|vs)$/;
const BETWEEN_LISTED = /^(?:[;,]|and|or|versus|vs|the|a|an)$/;
/** More are a list. */
const MAX_SLOTS = 6;

/** A number, and the names of the words that say what it is given for. */
interface Slot {
  quantity: Quantity;
  names: readonly string[];
  /** Whether they stand between a coordinator and the number, and so belong to no number before. */
  isLed: boolean;
}

/**
 * Whether a sentence with different numbers of a kind gives a claim's number for what the claim is about; null if its
 * words don't tell.
 */
export function isGivenFor(
  quantity: Quantity,
  claim: SentenceAnalysis,
  sentence: SentenceAnalysis,
): boolean | null {
  const isAlone = claim.quantities.filter(({ key }) => key === quantity.key).length === 1;
  const own = new Set(claim.terms.flatMap(namesOf));
  const slots = isAlone ? slotsOf(sentence, quantity.key) : [];
  const named = slots.filter(({ names }, at) =>
    names.some(
      (name) =>
        own.has(name) && !slots.some((slot, other) => other !== at && slot.names.includes(name)),
    ),
  );
  const led = named.filter(({ isLed }) => isLed);
  const [slot, ...others] = led.length > 0 ? led : named;
  return slot && others.length === 0 ? isCompatible(quantity, slot.quantity) : null;
}

/** Of the numbers of one kind that coordinators separate; none unless they differ. */
function slotsOf(sentence: SentenceAnalysis, kind: string): Slot[] {
  const { tokens, quantities } = sentence;
  const found = quantities.filter(({ key, date }) => key === kind && !date);
  const cuts = found.slice(1).map(({ first }, at) => {
    const from = found[at]?.next ?? 0;
    const cut = tokens.slice(from, first).findLastIndex(({ lower }) => COORDINATOR.test(lower));
    return from + cut;
  });
  const [one] = found;
  const areApart = found
    .slice(1)
    .every(({ first }, at) => (cuts[at] ?? first) >= (found[at]?.next ?? 0));
  if (
    !one ||
    found.length > MAX_SLOTS ||
    !areApart ||
    found.every((other) => isEqual(one, other))
  ) {
    return [];
  }
  if (tokens.some(({ lower }) => lower === "respectively")) {
    const listed = listedTerms(sentence, found.length);
    return found.flatMap((quantity, at) =>
      listed[at] ? { quantity, names: namesOf(listed[at]), isLed: false } : [],
    );
  }
  const within = (from: number, to: number) =>
    sentence.terms.filter(({ token }) => from <= token && token < to);
  const areLed = found.slice(1).map(({ first }, at) => within(cuts[at] ?? first, first));
  if (areLed.every((words) => words.length > 0)) {
    return [within(0, one.first), ...areLed].map((words, at) => ({
      quantity: found[at] as Quantity,
      names: words.flatMap(namesOf),
      isLed: at > 0,
    }));
  }
  return areLed.some((words) => words.length > 0)
    ? []
    : found.map((quantity, at) => {
        const [head] = within(quantity.next, cuts[at] ?? tokens.length);
        return { quantity, names: head ? namesOf(head) : [], isLed: false };
      });
}

/** As many words in a row as there are numbers, with only coordinators between them; none if there is no such list. */
function listedTerms({ terms, tokens }: SentenceAnalysis, count: number): readonly ContentTerm[] {
  const areListed = (one: ContentTerm, other: ContentTerm | undefined) => {
    const between = tokens.slice(one.token + 1, other?.token);
    return between.length > 0 && between.every(({ lower }) => BETWEEN_LISTED.test(lower));
  };
  for (const at of terms.keys()) {
    const listed = terms.slice(at, at + count);
    if (
      listed.length === count &&
      listed.slice(1).every((term, before) => areListed(listed[before] as ContentTerm, term))
    ) {
      return listed;
    }
  }
  return [];
}
