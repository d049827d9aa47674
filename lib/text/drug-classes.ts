import { termsOf } from "./analyzer";
import drugClasses from "./drug-classes.json" with { type: "json" };

/** The names of each drug's class: "ACE inhibitor" for lisinopril. */
export const CLASS_NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  drugClasses.flatMap(({ names, members }) => members.map((member) => [member, names] as const)),
);

/** The word that stands for each name of a class. No text has it. */
const WORDS = new Map(
  drugClasses.flatMap(({ names: [first = "", ...others] }) =>
    [first, ...others].map(
      (name) => [plain(name), `class${plain(first).replace(/\W/g, "")}`] as const,
    ),
  ),
);
const ANY_NAME = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${[...WORDS.keys()]
    .sort((one, other) => other.length - one.length)
    .map((name) => name.replaceAll(" ", "[\\s-]"))
    .join("|")})s?(?![\\p{L}\\p{N}])`,
  "giu",
);
const TERMS = new Map(
  [...CLASS_NAMES].map(([member, [first = ""]]) => [
    termsOf(member)[0] ?? "",
    termsOf(WORDS.get(plain(first)) ?? "")[0] ?? "",
  ]),
);

/** A text with each name of a drug class as one word, the same for all its names. */
export function withClassWords(text: string): string {
  return text.replace(ANY_NAME, (name) => {
    const written = plain(name);
    return WORDS.get(written) ?? WORDS.get(written.replace(/s$/, "")) ?? name;
  });
}

/** The term of a drug's class, as `withClassWords` writes it; null for other terms. */
export function classTermOf(term: string): string | null {
  return TERMS.get(term) ?? null;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[\s-]+/g, " ");
}
