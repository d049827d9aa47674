import type { ReadPassage } from "./passage";
import { GENERIC, type Question } from "./question";

const NAMED = new WeakMap<Question, WeakMap<ReadPassage["names"], ReadonlySet<string>>>();

/** As `findNamed`, once per question and document: its passages share their names. */
export function namedIn(
  question: Question,
  { names }: Pick<ReadPassage, "names">,
): ReadonlySet<string> {
  const known = NAMED.get(question) ?? new WeakMap();
  NAMED.set(question, known);
  const named = known.get(names) ?? findNamed(question, names);
  known.set(names, named);
  return named;
}

/** The question's terms that a name of the passage's document covers, for names that the question gives in full. */
function findNamed(
  { subject, context, terms }: Question,
  names: ReadPassage["names"],
): ReadonlySet<string> {
  const all = [...subject, ...context];
  const covered = new Set<string>();
  for (const name of names) {
    const forms = (term: string) => all.filter(([, same]) => same.has(term));
    const isAsked = [...name].every(
      (term) => terms.has(term) || isIncidental(term) || forms(term).length > 0,
    );
    if (isAsked) {
      for (const [asked] of [...name].flatMap(forms)) {
        covered.add(asked);
      }
    }
  }
  return covered;
}

/** Names need not be given with these: "celiac" is celiac disease, and "COVID" COVID-19. */
export function isIncidental(term: string): boolean {
  return GENERIC.has(term) || /^\d{2,}$/.test(term);
}
