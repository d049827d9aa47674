import * as z from "zod";
import type { ChoiceProcessor } from "@/lib/answers/chat/choice-processor";
import { type Citation, UrlCitation, type Verification } from "@/lib/answers/citations/schema";
import type { Verdict } from "@/lib/evidence/verdict/judged";
import { permalinkOf } from "@/lib/library/documents/permalink";
import type { Annotation, ResponseObject, SearchItem } from "./response-schema";

/** A source's text and link in the search's results, by citation id. */
export type SourceTexts = ReadonlyMap<number, { text: string; link: string }>;

export function textsOf({ grounded }: ChoiceProcessor): SourceTexts {
  const passages = grounded.retrieved?.passages ?? [];
  return new Map(
    passages.map(({ text, documentId, charStart: start, charEnd: end }, index) => [
      index + 1,
      { text, link: permalinkOf(documentId, { text, start, end }) },
    ]),
  );
}

/** What retrieval adds to an answer. */
export interface AnswerEvidence {
  retrieval: ResponseObject["retrieval"] | null;
  citations: readonly Citation[] | null;
  annotations: Annotation[];
  verification: Verification | null;
}

/** Of a completion, or of a chunk with its delta: both carry the same fields. */
export function evidenceOf(
  { citations, retrieval }: { [field: string]: unknown },
  message: { [field: string]: unknown },
): AnswerEvidence {
  const listed = Array.isArray(citations) ? (citations as Citation[]) : null;
  return {
    retrieval: (retrieval as ResponseObject["retrieval"]) ?? null,
    citations: listed,
    annotations: toAnnotations(message.annotations, listed ?? []),
    verification: (message.verification as Verification | undefined) ?? null,
  };
}

export function ownFieldsOf({ citations, retrieval, verification }: AnswerEvidence) {
  return {
    ...(citations && { citations: [...citations] }),
    ...(retrieval && { retrieval }),
    ...(verification && { verification }),
  };
}

const UpstreamAnnotation = z.looseObject({
  type: z.literal("url_citation"),
  url_citation: z.looseObject({
    start_index: z.number(),
    end_index: z.number(),
    title: z.string(),
    url: z.string(),
  }),
});

function toAnnotations(annotations: unknown, citations: readonly Citation[]): Annotation[] {
  const byId = new Map(citations.map((citation) => [citation.id, citation]));
  return (Array.isArray(annotations) ? annotations : []).flatMap((annotation) => {
    const ours = UrlCitation.safeParse(annotation).data?.url_citation;
    const citation = ours && byId.get(ours.citation_id);
    if (ours && citation) {
      return toCited(ours, citation);
    }
    const theirs = UpstreamAnnotation.safeParse(annotation).data;
    return theirs ? [{ type: "url_citation" as const, ...theirs.url_citation }] : [];
  });
}

function toCited(
  { url, title, quote, verification, ...marker }: UrlCitation["url_citation"],
  { document_id, metadata }: Citation,
): Annotation[] {
  const evidence = {
    ...marker,
    verdict: verification?.verdict ?? null,
    ...(verification && { verification }),
    ...(quote !== undefined && { quote }),
    page: quote?.page ?? (typeof metadata.page === "number" ? metadata.page : null),
    permalink: quote?.permalink ?? null,
  };
  const file = { file_id: document_id, filename: title, index: marker.start_index };
  return [
    { type: "file_citation", ...file, ...evidence },
    { type: "url_citation", url, title, ...evidence },
  ];
}

/** One for each search, none without any. `texts`: of the results, which are left out when it is null. */
export function toSearchItems(
  suffix: string,
  { retrieval, citations, annotations }: AnswerEvidence,
  texts: SourceTexts | null,
): SearchItem[] {
  const all = citations ?? [];
  if (!retrieval) {
    return [];
  }
  const whole = { query: retrieval.query, chunk_ids: all.map(({ chunk_id }) => chunk_id) };
  return (retrieval.rounds ?? [whole]).map(({ query, chunk_ids }, index) => {
    const found = all.filter(({ chunk_id }) => chunk_ids.includes(chunk_id));
    return {
      id: index === 0 ? `fs_${suffix}` : `fs_${suffix}_${index + 1}`,
      type: "file_search_call",
      status: "completed",
      queries: [query],
      results: texts ? found.map((citation) => toResult(citation, annotations, texts)) : null,
    };
  });
}

/** A source cited by several claims has the worst of their verdicts. */
const WORST_FIRST: Verdict[] = ["contradicted", "unsupported", "partial", "unjudged", "supported"];

function toResult(
  { id, document_id, title, similarity, excerpt, metadata, scope, source_type, chunk_id }: Citation,
  annotations: readonly Annotation[],
  texts: SourceTexts,
) {
  const source = texts.get(id);
  const cited = annotations.flatMap((each) =>
    each.type === "file_citation" && each.citation_id === id ? [each] : [],
  );
  const { page, section, url } = metadata;
  const known = {
    citation_id: id,
    scope,
    source_type,
    chunk_id,
    page,
    section: typeof section === "string" ? cut(section) : null,
    url,
    link: cited[0]?.permalink ?? source?.link,
    verdict: WORST_FIRST.find((verdict) => cited.some((each) => each.verdict === verdict)),
    quote: cut(cited[0]?.quote?.text ?? ""),
  };
  return {
    file_id: document_id,
    filename: title,
    score: similarity,
    text: source?.text ?? excerpt,
    attributes: Object.fromEntries(Object.entries(known).flatMap(toAttribute)),
  };
}

/** The longest value of an attribute in OpenAI's API. */
const MAX_ATTRIBUTE = 512;

/** A longer address is left out, because a part of it leads nowhere. */
function toAttribute([name, value]: [string, unknown]): [string, string | number][] {
  const isText = typeof value === "string" && value !== "" && value.length <= MAX_ATTRIBUTE;
  return isText || typeof value === "number" ? [[name, value]] : [];
}

function cut(text: string): string {
  return text.slice(0, MAX_ATTRIBUTE).toWellFormed();
}
