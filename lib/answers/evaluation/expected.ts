import type { Passage } from "@/lib/library/retrieval/read/passages";
import type { Question } from "./parse-questions";

type Found = Pick<Passage, "documentId" | "text">;

/** What a question expects to be found. */
export interface Expected {
  /** Each is one document, by all the ids that its reference names: several uploads may share a title. */
  targets: readonly ReadonlySet<string>[];
  /** Normalized; null when any passage of the documents will do. */
  quote: string | null;
}

/** `named`: the documents of each reference. */
export function expectedOf(
  { documents, quote }: Pick<Question, "documents" | "quote">,
  named: ReadonlyMap<string, readonly string[]>,
): Expected {
  return {
    targets: documents.map((reference) => new Set(named.get(reference))),
    quote: quote === null ? null : normalizeQuote(quote),
  };
}

/** The ranking of what was found, for `ndcg` and `recall`: each document once, or each passage if a quote is expected. */
export function rankFound(passages: readonly Found[], expected: Expected): string[] {
  const ranking = passages.map((passage, index) => {
    const target = targetOf(passage, expected);
    return target ?? (expected.quote === null ? passage.documentId : `passage ${index}`);
  });
  return [...new Set(ranking)];
}

/** All that is expected, for `ndcg` and `recall`. */
export function relevantOf({ targets, quote }: Expected): Map<string, number> {
  const names = targets.length > 0 ? targets.map((_, index) => nameOf(index)) : [nameOf(0)];
  return new Map(targets.length > 0 || quote !== null ? names.map((name) => [name, 1]) : []);
}

/** What a passage fulfills of the expectation; null if nothing. */
export function targetOf({ documentId, text }: Found, { targets, quote }: Expected): string | null {
  if (quote !== null && !normalizeQuote(text).includes(quote)) {
    return null;
  }
  if (targets.length === 0) {
    return quote === null ? null : nameOf(0);
  }
  const index = targets.findIndex((ids) => ids.has(documentId));
  return index === -1 ? null : nameOf(index);
}

function nameOf(target: number): string {
  return `expected ${target}`;
}

/** Case, blanks and typographic quotation marks make no difference. */
function normalizeQuote(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/\s+/g, " ")
    .trim();
}
