import type { Pack } from "@/lib/pack-names";
import { readPack } from "@/lib/packs";
import { termId, wordsOf } from "@/lib/text/analyzer";
import { QUOTED } from "./spelling";

/** A well-known brand name, abbreviation or phrase in a query, with what else its meaning is called. */
export interface NamedOtherwise {
  /** As the caller wrote it. */
  written: string;
  terms: readonly number[];
  others: readonly OtherName[];
  /** What a drug's class is called, such as ACE inhibitor for lisinopril. */
  classes: readonly OtherName[];
}

/** How a name is searched. */
export interface NameChoice {
  /** Replaces the written name. */
  instead: OtherName | null;
  /** Searched in addition: what is true of all ACE inhibitors is true of lisinopril. */
  besides: OtherName | null;
}

interface OtherName {
  name: string;
  terms: readonly number[];
  /** Whether the name is the one that its class lists. */
  isMember?: boolean;
}

/** Bounds the work of a lookup. */
const MAX_NAMES = 8;
const MAX_CHARACTERS = 2000;

/** The other names for a name, which is in lower case unless it means this only in capitals. */
type OtherNames = Pick<NamedOtherwise, "others" | "classes">;

interface PackNames {
  byName: ReadonlyMap<string, OtherNames>;
  /** The longest first: "type 2 diabetes" before a part of it. */
  anyName: RegExp;
}

const packs = new Map<Pack, PackNames>();

function namesOf(pack: Pack): PackNames {
  const names = packs.get(pack) ?? readNames(pack);
  packs.set(pack, names);
  return names;
}

function readNames(pack: Pack): PackNames {
  const { groups, phrases, classes: all } = readPack(pack, "names");
  const classNames = new Map(
    all.flatMap(({ names, members }) =>
      members.map((member) => [member, names.map(readName)] as const),
    ),
  );
  const byName = new Map<string, OtherNames>([
    ...[...classNames].map(([member, classes]) => [member, { others: [], classes }] as const),
    ...groups.flatMap((group) => {
      const others = group.map((name) => ({ ...readName(name), isMember: classNames.has(name) }));
      const classes = group.flatMap((name) => classNames.get(name) ?? []);
      return group.map((name) => {
        const key = /^\p{Lu}+$/u.test(name) ? name : name.toLowerCase().replaceAll("-", " ");
        return [key, { others, classes }] as const;
      });
    }),
    // One way only: how rare such a phrase is can't be told from its words.
    ...Object.entries(phrases).map(
      ([phrase, name]) => [phrase, { others: [readName(name)], classes: [] }] as const,
    ),
  ]);
  const patterns = [...byName.keys()]
    .sort((one, other) => other.length - one.length)
    .map((name) => name.replace(/[\s-]/g, "[\\s-]"));
  const anyName = `(?<![\\p{L}\\p{N}])(?:${patterns.join("|")})s?(?![\\p{L}\\p{N}])`;
  return { byName, anyName: new RegExp(anyName, "giu") };
}

/** The names in a query that have others in a pack, outside quotes, unless another name of the same stands beside them. */
export function namedOtherwise(query: string, pack: Pack): NamedOtherwise[] {
  const { byName, anyName } = namesOf(pack);
  const asked = new Set(termIdsOf(query));
  const isAsked = ({ terms }: OtherName): boolean => terms.some((term) => asked.has(term));
  const written = query.slice(0, MAX_CHARACTERS).replace(QUOTED, " ").match(anyName) ?? [];
  const found = [...new Set(written)].flatMap((name) => {
    const group = groupOf(name, byName);
    const terms = termIdsOf(name);
    const others = group.others.filter((other) => !isAsked(other));
    const classes = group.classes.some(isAsked) ? [] : group.classes;
    const isBeside = group.others.some((other) =>
      other.terms.some((each) => asked.has(each) && !terms.includes(each)),
    );
    return terms.length === 0 || others.length + classes.length === 0 || isBeside
      ? []
      : [{ written: name, terms, others, classes }];
  });
  return found.slice(0, MAX_NAMES);
}

/** Where the written name isn't that much rarer, passages that have only it would be lost. */
const TIMES_RARER = 4;
/** A drug that at most this many passages mention is also searched by its class. */
const FEW_PASSAGES = 2;

/** The names that the most passages have, if the written one is much rarer. A name's rarest word tells. */
export function nameFor(
  { terms, others, classes }: NamedOtherwise,
  countOf: (term: number) => number,
): NameChoice {
  const rarest = (all: readonly number[]): number => Math.min(...all.map(countOf));
  const mostUsed = (names: readonly OtherName[]) =>
    names
      .map((name) => ({ name, count: rarest(name.terms) }))
      .sort((one, next) => next.count - one.count)[0] ?? null;
  const own = rarest(terms);
  const same = mostUsed(others);
  const kind = mostUsed(classes);
  const known = Math.max(own, same?.count ?? 0);
  const isKind = kind !== null && known <= FEW_PASSAGES && kind.count > TIMES_RARER * known;
  // Rules that compare a question with passages know a drug's class by its generic name.
  const generic = isKind ? (others.find(({ isMember }) => isMember) ?? null) : null;
  return {
    instead: same && same.count > TIMES_RARER * own ? same.name : generic,
    besides: isKind ? kind.name : null,
  };
}

function groupOf(written: string, byName: PackNames["byName"]): OtherNames {
  const name = written.replace(/[\s-]/g, " ");
  const forms = [name, name.toLowerCase()].flatMap((form) => [form, form.replace(/s$/, "")]);
  const group = forms.map((form) => byName.get(form)).find((each) => each !== undefined);
  return group ?? { others: [], classes: [] };
}

function readName(name: string): OtherName {
  return { name, terms: termIdsOf(name) };
}

function termIdsOf(text: string): number[] {
  return wordsOf(text).map(({ term }) => termId(term));
}
