import type { SentenceAnalysis } from "./analyze-passage";
import type { Quantity } from "./quantities";
import { isCompatible, isEqual } from "./quantity-check";
import { namesOf } from "./subject-names";
import type { ContentTerm } from "./words";

// A sentence may give one number for one thing and another for the next: "500 mg for adults and 250 mg for children".

const COORDINATOR = /^(?:[;,]|and|or|but|while|whereas|versus|vs)$/;
const BETWEEN_LISTED = /^(?:[;,]|and|or|versus|vs|the|a|an)$/;
const RESPECTIVELY = "respectively";
/** More than this is a list. */
const MAX_SLOTS = 6;

/** A number, and the names of the words that say what it is for. */
interface Slot {
  quantity: Quantity;
  names: readonly string[];
  /** Whether they stand between a coordinator and the number, so that they can't belong to an earlier number. */
  isLed: boolean;
}

/**
 * Whether a sentence with different numbers of a kind gives a claim's number for what the claim is about; null if that
 * isn't clear.
 */
export function isGivenFor(
  quantity: Quantity,
  claim: SentenceAnalysis,
  sentence: SentenceAnalysis,
): boolean | null {
  const slots = slotsOf(sentence, quantity.key);
  const names = slots.map((slot) =>
    slot.names.filter((name) =>
      slots.every((other) => other === slot || !other.names.includes(name)),
    ),
  );
  const isLed = slots.some((slot) => slot.isLed);
  const areDistinct = !isLed || names.every((found) => found.length > 0);
  if (!areDistinct || slots.some((slot) => slot.names.length === 0)) {
    return null;
  }
  const among = (own: ReadonlySet<string>) => (_: Slot, at: number) =>
    names[at]?.some((name) => own.has(name)) ?? false;
  const head = headAfter(quantity, claim);
  const [said, ...more] = slots.filter(among(new Set(head && !isLed ? namesOf(head) : [])));
  const slot =
    said && more.length === 0 ? said : slotOfAll(claim, quantity, { slots, names, among });
  return slot ? isCompatible(quantity, slot.quantity) : null;
}

interface Named {
  slots: readonly Slot[];
  /** For each slot, the names that no other slot has. */
  names: readonly (readonly string[])[];
  among: (own: ReadonlySet<string>) => (slot: Slot, at: number) => boolean;
}

/** The slot that a claim's words point to, if the claim has only one number of this kind. */
function slotOfAll(
  claim: SentenceAnalysis,
  { key }: Quantity,
  { slots, names, among }: Named,
): Slot | null {
  const own = new Set(claim.terms.flatMap(namesOf));
  const telling = slots.filter(among(own));
  // "With A alone" beside "with A plus B" has no word of its own.
  const plain = slots.filter(
    (slot, at) =>
      !slot.isLed && names[at]?.length === 0 && slot.names.some((name) => own.has(name)),
  );
  const named = telling.length > 0 ? telling : plain;
  const led = named.filter(({ isLed }) => isLed);
  const isCompared = named.length > 1 && claim.tokens.some(({ lower }) => COMPARES.test(lower));
  const isAlone = claim.quantities.filter((other) => other.key === key).length === 1;
  const [slot, ...others] = led.length > 0 ? led : named;
  return slot && isAlone && !isCompared && others.length === 0 ? slot : null;
}

/** In "men, compared with women" and "men and women", two are named, and either may be meant. */
const COMPARES =
  /^(?:than|unlike|like|versus|vs|compared|against|relative|contrast|and|or|but|while|whereas)$/;

/** The slots of numbers of one kind that coordinators separate; empty unless the numbers differ. */
function slotsOf(sentence: SentenceAnalysis, kind: string): Slot[] {
  const { tokens, quantities } = sentence;
  const found = quantities.filter(({ key, date }) => key === kind && !date);
  const [one] = found;
  if (!one || found.length > MAX_SLOTS || found.every((other) => isEqual(one, other))) {
    return [];
  }
  const cuts = found
    .slice(1)
    .map(({ first }, at) => cutBetween(sentence, found[at]?.next ?? 0, first));
  const areApart = found
    .slice(1)
    .every(({ first }, at) => (cuts[at] ?? first) >= (found[at]?.next ?? 0));
  if (!areApart) {
    return [];
  }
  if (tokens.some(({ lower }) => lower === RESPECTIVELY)) {
    const listed = listedTerms(sentence, found.length);
    return found.flatMap((quantity, at) =>
      listed[at] ? { quantity, names: namesOf(listed[at]), isLed: false } : [],
    );
  }
  const within = (from: number, to: number) =>
    sentence.terms.filter(({ token }) => from <= token && token < to);
  const areLed = found.slice(1).map(({ first }, at) => within((cuts[at] ?? first) + 1, first));
  if (areLed.every((words) => words.length > 0)) {
    return [within(0, one.first), ...areLed].map((words, at) => ({
      quantity: found[at] as Quantity,
      names: words.flatMap(namesOf),
      isLed: at > 0,
    }));
  }
  if (areLed.some((words) => words.length > 0)) {
    return [];
  }
  const parts = found.map(({ next }, at) => within(next, cuts[at] ?? tokens.length));
  const heads = found.map((quantity) => headAfter(quantity, sentence));
  const areDistinct = new Set(heads.map((head) => head?.stem)).size === heads.length;
  return found.map((quantity, at) => {
    const words = areDistinct ? [heads[at] ?? []].flat() : (parts[at] ?? []);
    return { quantity, names: words.flatMap(namesOf), isLed: false };
  });
}

/** Where the words of the next number begin: "for men" in "for women, 14 units, and for men, 21 units". */
function cutBetween({ terms, tokens }: SentenceAnalysis, from: number, to: number): number {
  const isCut = (at: number) => COORDINATOR.test(tokens[at]?.lower ?? "");
  const isBefore = (at: number) => PREPOSITION.test(tokens[at + 1]?.lower ?? "");
  const cuts = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at).filter(isCut);
  const last = cuts.at(-1) ?? from - 1;
  const isBare =
    tokens[last]?.lower === "," && !terms.some(({ token }) => last < token && token < to);
  const fronted = isBare && isBefore(-1) ? cuts.slice(0, -1).findLast(isBefore) : undefined;
  return fronted ?? last;
}

/** Without "of": "of ceftriaxone" may apply to the other numbers too. */
const PREPOSITION = /^(?:for|in|with|at|on|to|per|among|after|before|by|during|from)$/;

/** What a number is given for: the first word after it and a preposition, before the next coordinator. */
function headAfter(
  { next }: Quantity,
  { terms, tokens }: SentenceAnalysis,
): ContentTerm | undefined {
  const end = tokens.findIndex(({ lower }, at) => at >= next && COORDINATOR.test(lower));
  const part = terms.filter(({ token }) => token >= next && (end < 0 || token < end));
  const followsPreposition = ({ token }: ContentTerm) =>
    tokens.slice(next, token).some(({ lower }) => PREPOSITION.test(lower));
  return part.find(followsPreposition) ?? part[0];
}

/** The only list with as many words as there are numbers; empty if there are several. */
function listedTerms({ terms, tokens }: SentenceAnalysis, count: number): readonly ContentTerm[] {
  const areListed = (one: ContentTerm, other: ContentTerm | undefined) => {
    const between = tokens.slice(one.token + 1, other?.token);
    return between.length > 0 && between.every(({ lower }) => BETWEEN_LISTED.test(lower));
  };
  const words = terms.filter(({ token }) => tokens[token]?.lower !== RESPECTIVELY);
  const lists = words.flatMap((first, at) => {
    const listed = words.slice(at, at + count);
    const isList = listed.every(
      (term, before) => term === first || areListed(listed[before - 1] as ContentTerm, term),
    );
    return listed.length === count && isList ? [listed] : [];
  });
  return lists.length === 1 ? (lists[0] ?? []) : [];
}
