import { termId, wordsOf } from "@/lib/text/analyzer";
import { foldedWords } from "@/lib/text/fold";
import otherNames from "./other-names.json" with { type: "json" };
import { QUOTED } from "./spelling";

/** A word of a query that is a well-known brand name or abbreviation, with what else its meaning is called. */
export interface NamedOtherwise {
  /** As the caller wrote it. */
  written: string;
  term: number;
  others: readonly OtherName[];
}

export interface OtherName {
  name: string;
  terms: readonly number[];
}

/** Bounds the work of a lookup. */
const MAX_NAMES = 8;
const MAX_READ = 256;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const PLURAL = /(?<=..)s$/;

const GROUPS = otherNames.map((names) =>
  names.map((name) => ({ name, terms: wordsOf(name).map(({ term }) => termId(term)) })),
);
/** By their single words. Names in capitals, such as MS, are words or something else without them. */
const BY_WORD = new Map(
  GROUPS.flatMap((group) =>
    group
      .filter(({ name }) => !/[\s-]/.test(name))
      .map(({ name }) => [/^\p{Lu}+$/u.test(name) ? name : name.toLowerCase(), group] as const),
  ),
);

/** The brand names and abbreviations in a query, outside quotes, unless another name of the same stands beside them. */
export function namedOtherwise(query: string): NamedOtherwise[] {
  const asked = new Set(wordsOf(query).map(({ term }) => termId(term)));
  const written = query.replace(QUOTED, " ").match(WORD) ?? [];
  const found = [...new Set(written.slice(0, MAX_READ))].flatMap((word) => {
    const [term, ...more] = wordsOf(word).map((each) => termId(each.term));
    const group = groupOf(word);
    const others = (group ?? []).filter(({ terms }) => !terms.some((each) => asked.has(each)));
    const isBeside = group !== null && others.length < group.length - 1;
    return term === undefined || more.length > 0 || others.length === 0 || isBeside
      ? []
      : [{ written: word, term, others }];
  });
  return found.slice(0, MAX_NAMES);
}

/**
 * The name that the most passages have, if they are more than have the word itself: the least frequent word of a name
 * tells.
 */
export function nameFor(
  { term, others }: NamedOtherwise,
  countOf: (term: number) => number,
): OtherName | null {
  const counted = others.map((other) => ({ other, count: Math.min(...other.terms.map(countOf)) }));
  const [best] = counted.sort((one, next) => next.count - one.count);
  return best && best.count > countOf(term) ? best.other : null;
}

function groupOf(word: string): readonly OtherName[] | null {
  const folded = foldedWords(word).join(" ");
  const forms = [word, folded].flatMap((form) => [form, form.replace(PLURAL, "")]);
  return forms.map((form) => BY_WORD.get(form)).find((group) => group !== undefined) ?? null;
}
