import { termId, wordsOf } from "@/lib/text/analyzer";
import everydayNames from "./everyday-names.json" with { type: "json" };
import otherNames from "./other-names.json" with { type: "json" };
import { QUOTED } from "./spelling";

/** A well-known brand name, abbreviation or phrase in a query, with what else its meaning is called. */
export interface NamedOtherwise {
  /** As the caller wrote it. */
  written: string;
  terms: readonly number[];
  others: readonly OtherName[];
}

export interface OtherName {
  name: string;
  terms: readonly number[];
}

/** Bounds the work of a lookup. */
const MAX_NAMES = 8;
const MAX_CHARACTERS = 2000;

const GROUPS = otherNames.map((names) => names.map((name) => ({ name, terms: termIdsOf(name) })));
/** Names in capitals, such as MS, are words or something else without them. */
const BY_NAME = new Map<string, readonly OtherName[]>([
  ...GROUPS.flatMap((group) =>
    group.map(
      ({ name }) =>
        [/^\p{Lu}+$/u.test(name) ? name : name.toLowerCase().replaceAll("-", " "), group] as const,
    ),
  ),
  // One way only: how rare such a phrase is can't be told from its words.
  ...Object.entries(everydayNames).map(
    ([phrase, name]) => [phrase, [{ name, terms: termIdsOf(name) }]] as const,
  ),
]);
/** The longest first: "type 2 diabetes" before a part of it. */
const ANY_NAME = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${[...BY_NAME.keys()]
    .sort((one, other) => other.length - one.length)
    .map((name) => name.replace(/[\s-]/g, "[\\s-]"))
    .join("|")})s?(?![\\p{L}\\p{N}])`,
  "giu",
);

/** The names in a query that have others, outside quotes, unless another name of the same stands beside them. */
export function namedOtherwise(query: string): NamedOtherwise[] {
  const asked = new Set(termIdsOf(query));
  const written = query.slice(0, MAX_CHARACTERS).replace(QUOTED, " ").match(ANY_NAME) ?? [];
  const found = [...new Set(written)].flatMap((name) => {
    const group = groupOf(name) ?? [];
    const terms = termIdsOf(name);
    const others = group.filter((other) => !other.terms.some((each) => asked.has(each)));
    const isBeside = group.some((other) =>
      other.terms.some((each) => asked.has(each) && !terms.includes(each)),
    );
    return terms.length === 0 || others.length === 0 || isBeside
      ? []
      : [{ written: name, terms, others }];
  });
  return found.slice(0, MAX_NAMES);
}

/** Where the written name isn't that much rarer, passages that have only it would be lost. */
const TIMES_RARER = 4;

/** The name that the most passages have, if the written one is much rarer. A name's rarest word tells. */
export function nameFor(
  { terms, others }: NamedOtherwise,
  countOf: (term: number) => number,
): OtherName | null {
  const rarest = (all: readonly number[]): number => Math.min(...all.map(countOf));
  const counted = others.map((other) => ({ other, count: rarest(other.terms) }));
  const [best] = counted.sort((one, next) => next.count - one.count);
  return best && best.count > TIMES_RARER * rarest(terms) ? best.other : null;
}

function groupOf(written: string): readonly OtherName[] | null {
  const name = written.replace(/[\s-]/g, " ");
  const forms = [name, name.toLowerCase()].flatMap((form) => [form, form.replace(/s$/, "")]);
  return forms.map((form) => BY_NAME.get(form)).find((group) => group !== undefined) ?? null;
}

function termIdsOf(text: string): number[] {
  return wordsOf(text).map(({ term }) => termId(term));
}
