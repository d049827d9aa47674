import { namedOtherwise, nameFor } from "@/lib/library/retrieval/other-names";
import {
  countBesides,
  similarityOf,
  similarTo,
  weighTerm,
} from "@/lib/library/retrieval/query-terms";
import {
  choose,
  misspelledQuestionWords,
  misspelledWords,
  suggest,
  withCorrections,
} from "@/lib/library/retrieval/spelling";
import { chunkBlocks } from "@/lib/reading/chunk";
import { lexicalText } from "@/lib/reading/describe";
import { parsePlain } from "@/lib/reading/parse/block";
import { parseMarkdown } from "@/lib/reading/parse/markdown";
import { passageWordsOf, termId, wordsOf } from "@/lib/text/analyzer";
import { queryWords, termWeights } from "@/lib/text/bm25";
import type { DelimitedSource } from "@/lib/text/delimiters";
import { isSpellable } from "@/lib/text/spelling";

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

export interface MemorySearchResult {
  sources: DelimitedSource[];
  /** The query with its misspelled words corrected. */
  understood: string;
}

/** The words of the search without its database, with spelling correction and the default `top_k` and `min_score`. */
export function memorySearch(
  documents: readonly Document[],
): (query: string) => MemorySearchResult {
  const { chunks, postings, vocabulary } = indexDocuments(documents);
  const words = [...vocabulary.values()];
  const find = (query: string, classes: readonly string[]): DelimitedSource[] => {
    const total = PRIOR_CHUNKS + chunks.length;
    const own = englishTerms(query);
    const added = classes.flatMap((name) => countBesides([...englishTerms(name).keys()]));
    const besides = new Set(added.flatMap(([term]) => (own.has(term) ? [] : term)));
    const terms = new Map([...added, ...own]);
    const weighted = [...terms].flatMap(([term, count]) => {
      const frequency = postings.get(term)?.length ?? 0;
      return frequency > 0 ? [weighTerm({ term, count }, { frequency, total })] : [];
    });
    const scores = new Map<number, number>();
    for (const { term, weight } of weighted) {
      for (const posting of postings.get(term) ?? []) {
        scores.set(posting.chunk, (scores.get(posting.chunk) ?? 0) + weight * posting.weight);
      }
    }
    const similar = similarTo(weighted, { terms, besides });
    return [...scores]
      .filter(([, score]) => similarityOf(score, similar.weighted, similar.words) >= MIN_SCORE)
      .sort(([, one], [, other]) => other - one)
      .slice(0, TOP_K)
      .flatMap(([chunk], at) => {
        const found = chunks[chunk];
        return found ? [{ ...found, number: at + 1 }] : [];
      });
  };
  const frequencyOf = (term: number) => postings.get(term)?.length ?? 0;
  return (query) => {
    const { named, besides } = replaceNames(query, frequencyOf);
    const understood = correct(named, words, frequencyOf);
    return { understood, sources: find(understood, besides) };
  };
}

function chunksOf({ title, text, format }: Document) {
  const blocks = format === "markdown" ? parseMarkdown(text).blocks : parsePlain(text);
  return chunkBlocks(blocks, LIMITS).chunks.map((chunk) => ({ title, chunk }));
}

function indexDocuments(documents: readonly Document[]) {
  const chunks: Omit<DelimitedSource, "number">[] = [];
  const postings = new Map<number, Posting[]>();
  const vocabulary = new Map<string, { word: string; term: number }>();
  for (const { title, chunk } of documents.flatMap(chunksOf)) {
    const lexical = lexicalText(title, chunk);
    for (const { word, term } of wordsOf(lexical).filter((each) => isSpellable(each.word))) {
      vocabulary.set(word, { word, term: termId(term) });
    }
    const { terms, weights } = termWeights(passageWordsOf(lexical));
    for (const [at, term] of terms.entries()) {
      const posting = { chunk: chunks.length, weight: weights[at] ?? 0 };
      postings.get(term)?.push(posting) ?? postings.set(term, [posting]);
    }
    const headings = chunk.headings.filter((heading) => heading !== title);
    chunks.push({ title: [title, ...headings].join(" › "), text: chunk.text });
  }
  return { chunks, postings, vocabulary };
}

/** Brand names and abbreviations become what most documents call the same, as in the search, which also looks for a drug's class. */
function replaceNames(
  query: string,
  frequencyOf: (term: number) => number,
): { named: string; besides: string[] } {
  const chosen = namedOtherwise(query, "medical").map((from) => ({
    from,
    ...nameFor(from, frequencyOf),
  }));
  const corrections = chosen.flatMap(({ from, instead }) =>
    instead ? { from: from.written, to: instead.name } : [],
  );
  return {
    named: withCorrections(query, corrections),
    besides: chosen.flatMap(({ besides }) => besides?.name ?? []),
  };
}

/** As the search does it: one edit, or two if no word is nearer. */
function correct(
  query: string,
  vocabulary: readonly { word: string; term: number }[],
  frequencyOf: (term: number) => number,
): string {
  const unknown = new Set(
    [...englishTerms(query).keys()].filter((term) => frequencyOf(term) === 0),
  );
  const phrased = misspelledQuestionWords(query, unknown);
  for (const { from } of phrased) {
    unknown.delete(from.term);
  }
  const misspelled = misspelledWords(query, unknown);
  const near = suggest(misspelled, vocabulary, 1);
  const rest = misspelled.filter((each) => !near.has(each));
  const chosen = [...near, ...suggest(rest, vocabulary, 2)].flatMap(([{ written }, some]) => {
    const to = choose(some, frequencyOf);
    return to ? [{ from: written, to: to.word }] : [];
  });
  const corrections = phrased.map(({ from, to }) => ({ from: from.written, to }));
  return withCorrections(query, [...corrections, ...chosen]);
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
