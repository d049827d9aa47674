import type { SentenceAnalysis } from "./analyze-passage";
import { namesOf } from "./subject-names";
import type { ContentTerm } from "./words";

// A sentence may say one thing about one subject and another about the next: "Insulin lowers blood sugar; glucagon raises it".

const BOUNDARY = /^(?:;|and|but|while|whereas)$/;
/** Shows that the words after a coordinator are a clause, not another item of a list. */
const FINITE =
  /^(?:is|are|was|were|am|has|have|had|can|cannot|could|may|might|must|shall|should|will|would|does|do|did)$/;
const RELATIVE = /^(?:that|which|who|whose)$/;
const ARTICLE = /^(?:a|an|the)$/;

interface Clause {
  terms: readonly ContentTerm[];
  /** Whether it states something about its first word. */
  isPredicated: boolean;
}

/**
 * Whether a claim takes its subject from one clause and its statement from an earlier one: "glucagon lowers blood sugar"
 * from the sentence above.
 */
export function mixesClauses(claim: SentenceAnalysis, sentence: SentenceAnalysis): boolean {
  const [subject, ...rest] = claim.terms;
  const clauses = subject ? clausesIn(sentence) : [];
  const at = clauses.findIndex(({ terms }) => subject && isIn(subject, terms));
  const { terms: [first, ...said] = [], isPredicated = false } = clauses[at] ?? {};
  const later = [said, ...clauses.slice(at + 1).map(({ terms }) => terms)];
  return (
    at > 0 &&
    isPredicated &&
    subject !== undefined &&
    first !== undefined &&
    isIn(subject, [first]) &&
    said.length > 0 &&
    rest.length > 0 &&
    !rest.some((term) => later.some((terms) => isIn(term, terms)))
  );
}

function clausesIn(sentence: SentenceAnalysis): Clause[] {
  const starts = sentence.tokens.flatMap(({ lower }, at) => (BOUNDARY.test(lower) ? at : []));
  return [-1, ...starts].map((start, at) =>
    clauseBetween(sentence, start, starts[at] ?? sentence.tokens.length),
  );
}

function clauseBetween({ terms, tokens }: SentenceAnalysis, start: number, end: number): Clause {
  const within = terms.filter(({ token }) => start < token && token < end);
  const subject = within[0]?.token ?? end;
  const after = tokens.slice(subject + 1, end);
  const isPredicated =
    !RELATIVE.test(after[0]?.lower ?? "") &&
    (ARTICLE.test(after[0]?.lower ?? "") ||
      after.some(({ lower }) => FINITE.test(lower)) ||
      within[1]?.token === subject + 1);
  return { terms: within, isPredicated };
}

function isIn(term: ContentTerm, others: readonly ContentTerm[]): boolean {
  const own = namesOf(term);
  return others.some((other) => namesOf(other).some((name) => own.includes(name)));
}
