import { chunkBlocks } from "@/lib/documents/chunk";
import { lexicalText } from "@/lib/documents/describe";
import { parsePlain } from "@/lib/documents/parse/block";
import { parseMarkdown } from "@/lib/documents/parse/markdown";
import { similarityOf } from "@/lib/retrieval/query-terms";
import { passageWordsOf } from "@/lib/text/analyzer";
import { queryWords, termWeights } from "@/lib/text/bm25";
import type { DelimitedSource } from "@/lib/text/delimiters";

interface Document {
  title: string;
  text: string;
  format: "markdown" | "plain";
}

interface Posting {
  chunk: number;
  weight: number;
}

const LIMITS = { maxChunks: 1000, chunkTokens: 400, overlapTokens: 60 };
const TOP_K = 8;
const MIN_SCORE = 0.3;
/** Like the search, it expects at least this many other chunks. */
const PRIOR_CHUNKS = 1000;

/** The words of the search without its database, with the default `top_k` and `min_score`. */
export function memorySearch(documents: readonly Document[]): (query: string) => DelimitedSource[] {
  const chunks: Omit<DelimitedSource, "number">[] = [];
  const postings = new Map<number, Posting[]>();
  for (const { title, text, format } of documents) {
    const blocks = format === "markdown" ? parseMarkdown(text).blocks : parsePlain(text);
    for (const chunk of chunkBlocks(blocks, LIMITS).chunks) {
      const { terms, weights } = termWeights(passageWordsOf(lexicalText(title, chunk)));
      for (const [at, term] of terms.entries()) {
        const posting = { chunk: chunks.length, weight: weights[at] ?? 0 };
        postings.get(term)?.push(posting) ?? postings.set(term, [posting]);
      }
      const headings = chunk.headings.filter((heading) => heading !== title);
      chunks.push({ title: [title, ...headings].join(" › "), text: chunk.text });
    }
  }
  return (query) => {
    const total = PRIOR_CHUNKS + chunks.length;
    const weighted = [...englishTerms(query)].map(([term, count]) => {
      const frequency = postings.get(term)?.length ?? 0;
      const idf = Math.log(1 + (total - frequency + 0.5) / (frequency + 0.5));
      return { term, weight: idf * Math.sqrt(count) };
    });
    const scores = new Map<number, number>();
    for (const { term, weight } of weighted) {
      for (const posting of postings.get(term) ?? []) {
        scores.set(posting.chunk, (scores.get(posting.chunk) ?? 0) + weight * posting.weight);
      }
    }
    return [...scores]
      .filter(([, score]) => similarityOf(score, weighted) >= MIN_SCORE)
      .sort(([, one], [, other]) => other - one)
      .slice(0, TOP_K)
      .flatMap(([chunk], at) => {
        const found = chunks[chunk];
        return found ? [{ ...found, number: at + 1 }] : [];
      });
  };
}

/** What a search of documents that are all English searches for, with counts. */
function englishTerms(query: string): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { count, terms } of queryWords(query)) {
    const [term = 0] = terms.keys();
    counts.set(term, (counts.get(term) ?? 0) + count);
  }
  return counts;
}
