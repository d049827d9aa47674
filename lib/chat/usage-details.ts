import type { UsageDetails } from "@/lib/billing/schema";
import type { Verification } from "@/lib/citations/schema";
import type { ChoiceProcessor } from "./choice-processor";

/** What the record of a request keeps besides its sums: ids, counts and times, and never text. */
export function detailsOf(answering: ChoiceProcessor): UsageDetails {
  const { id, grounded, finished } = answering;
  const counts = finished ? countsOf([...finished.evidence.values()]) : null;
  return {
    completion_id: id,
    ...(grounded.retrieved && {
      sources: grounded.retrieved.sources.map(({ citation }) => ({
        id: citation.id,
        document_id: citation.document_id,
        chunk_id: citation.chunk_id,
        scope: citation.scope,
        similarity: citation.similarity,
        cited: finished?.citedIds?.has(citation.id) ?? false,
      })),
    }),
    ...(counts && { verification: counts }),
  };
}

const COUNTED = [
  "sentences",
  "cited",
  "supported",
  "partial",
  "unsupported",
  "contradicted",
  "dropped_markers",
  "repaired_markers",
  "stripped_markers",
] as const satisfies (keyof Verification)[];

/** Summed over the choices; null where no answer was verified. */
function countsOf(
  evidence: readonly { verification: Verification }[],
): UsageDetails["verification"] | null {
  const [first] = evidence;
  if (!first) {
    return null;
  }
  const sums = COUNTED.map((name): [string, number | null] => [
    name,
    evidence.reduce<number | null>((sum, { verification }) => {
      const value = verification[name];
      return sum === null || value === null ? null : sum + value;
    }, 0),
  ]);
  return { ...Object.fromEntries(sums), method: first.verification.method };
}
