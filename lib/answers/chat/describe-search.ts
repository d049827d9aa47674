import type { Passage } from "@/lib/library/retrieval/read/passages";
import type { SearchOutcome } from "@/lib/library/retrieval/read/search";
import { MAX_CLOSEST } from "@/lib/library/retrieval/read/select";
import type { Retrieval } from "@/lib/library/retrieval/schema";
import type { Round } from "./search-rounds";

/** What came closest, if no passage reached the minimum similarity. */
export function describeClosest({ passages, cut }: SearchOutcome): Pick<Retrieval, "closest"> {
  const nearest = cut.toSorted((one, other) => other.similarity - one.similarity);
  const closest = nearest
    .slice(0, MAX_CLOSEST)
    .map(({ scope, documentId, chunkId, title, similarity }) => ({
      ...{ scope, document_id: documentId, chunk_id: chunkId, title, similarity },
    }));
  return passages.length === 0 && closest.length > 0 ? { closest } : {};
}

/** `passages`: the sources of the answer. */
export function describeRounds(
  rounds: readonly Round[],
  passages: readonly Passage[],
): NonNullable<Retrieval["rounds"]> {
  const sources = new Set(passages.map(({ chunkId }) => chunkId));
  return rounds.map(({ query, filters, outcome }) => {
    const found = outcome?.passages.map(({ chunkId }) => chunkId) ?? [];
    // A passage that several found belongs to the first.
    const chunkIds = found.filter((chunkId) => sources.delete(chunkId));
    return {
      query: query.toWellFormed(),
      ...(filters && { filters }),
      found: found.length,
      chunk_ids: chunkIds,
    };
  });
}
