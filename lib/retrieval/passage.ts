import type { KnowledgeScope } from "@/lib/auth/schema";
import type { Ranked } from "./fuse";
import type { Explanation, FoundPassage } from "./schema";

/** A chunk that a search found, with what is known of where it stands. */
export interface Passage {
  scope: KnowledgeScope;
  chunkId: string;
  documentId: string;
  title: string;
  sourceType: string;
  /** From 0 to 1, to 4 places. */
  similarity: number;
  /** What each leg says of it. */
  ranks: Ranked;
  text: string;
  url: string | null;
  publishedAt: Date | null;
  headings: string[];
  pageStart: number | null;
  pageEnd: number | null;
  charStart: number;
  charEnd: number;
  /** Codes of what a reader should know of the text, such as hidden_text. */
  warnings: string[];
  metadata: Record<string, unknown>;
}

const LONGEST_EXCERPT = 300;

/** The first 300 characters at most, cut at a word. */
export function excerptOf(text: string): string {
  if (text.length <= LONGEST_EXCERPT) {
    return text;
  }
  const head = text.slice(0, LONGEST_EXCERPT);
  const lastSpace = head.search(/\s+\S*$/u);
  const cut = lastSpace > 0 ? head.slice(0, lastSpace) : head;
  // A lone half of a surrogate pair is no character.
  return `${cut.replace(/[\uD800-\uDBFF]$/u, "").trimEnd()}…`.slice(0, LONGEST_EXCERPT);
}

/** The document's own metadata and what is known of the passage's place in it. */
function metadataOf(passage: Passage): Record<string, unknown> {
  const known = {
    url: passage.url,
    page: passage.pageStart,
    page_end: passage.pageEnd !== passage.pageStart ? passage.pageEnd : null,
    section: passage.headings.join(" › ") || null,
    published_at: passage.publishedAt?.toISOString().slice(0, 10) ?? null,
    char_start: passage.charStart,
    char_end: passage.charEnd,
    warnings: passage.warnings.length > 0 ? passage.warnings : null,
  };
  const present = Object.entries(known).filter(([, value]) => value !== null);
  return { ...passage.metadata, ...Object.fromEntries(present) };
}

export function toFoundPassage(passage: Passage): FoundPassage {
  return {
    scope: passage.scope,
    chunk_id: passage.chunkId,
    document_id: passage.documentId,
    title: passage.title,
    source_type: passage.sourceType,
    similarity: passage.similarity,
    excerpt: excerptOf(passage.text),
    metadata: metadataOf(passage),
  };
}

/** A chunk's standing in both legs and in their fusion. */
export function explain(ranks: Ranked): Explanation {
  return {
    vector_rank: ranks.vectorRank,
    lexical_rank: ranks.lexicalRank,
    vector_score: ranks.cosine === null ? null : rounded(ranks.cosine),
    lexical_score: rounded(ranks.bm25),
    score: rounded(ranks.score),
  };
}

function rounded(value: number): number {
  return Number(value.toPrecision(6));
}
