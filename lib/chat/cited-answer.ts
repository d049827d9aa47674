import { MarkerNormalizer } from "@/lib/citations/markers";
import type { CitationsRequest, CitedSource } from "@/lib/citations/schema";
import { SentenceBuffer } from "@/lib/citations/sentence-buffer";
import { type AnswerSource, type VerifiedAnswer, verifyAnswer } from "@/lib/citations/verification";
import { permalinkOf } from "@/lib/documents/permalink";
import { env } from "@/lib/env";
import type { ClaimJudge } from "./verifier";

/** The sources of an answer, and how to check it against them. */
interface Evidence {
  /** The first is source 1. */
  sources: readonly AnswerSource<CitedSource>[];
  options: Pick<CitationsRequest, "verify" | "on_unsupported" | "quotes">;
  searched: { question: string };
}

/** The text of one choice on its way out. The result doesn't depend on how it was split into pieces. */
export class CitedAnswer {
  readonly #normalizer: MarkerNormalizer;
  readonly #buffer: SentenceBuffer | null;
  #text = "";

  constructor(
    private readonly evidence: Evidence,
    private readonly judge: ClaimJudge,
  ) {
    const texts = evidence.sources.map(({ text }) => text);
    this.#normalizer = new MarkerNormalizer(texts.length, texts);
    this.#buffer =
      evidence.options.on_unsupported === "strip"
        ? new SentenceBuffer((claims) => judge.unsupportedMarkers(claims))
        : null;
  }

  /** Accepts the model's next words and returns the text that can go out. */
  push(piece: string): Promise<string> {
    return this.#pass(this.#normalizer.push(piece));
  }

  /** Returns the text that was still held back. */
  async end(): Promise<string> {
    const rest = await this.#pass(this.#normalizer.end());
    const last = (await this.#buffer?.end()) ?? "";
    this.#text += last;
    return rest + last;
  }

  /** Judges the ended answer. */
  verify(): Promise<VerifiedAnswer> {
    const { sources, options, searched } = this.evidence;
    const answer = {
      text: this.#text,
      markers: this.#buffer?.markers ?? this.#normalizer.markers,
      stripped: this.#buffer?.stripped ?? [],
      report: this.#normalizer.report,
    };
    return verifyAnswer(answer, sources, {
      method: options.verify,
      question: searched.question,
      judge: (claim) => this.judge.judge(claim),
      analyze: (id) => this.judge.analyze(id),
      quotes: options.quotes,
      urlOf,
      permalinkOf: ({ document_id }, quote) =>
        document_id === null ? null : permalinkOf(document_id, quote),
    });
  }

  async #pass(normalized: string): Promise<string> {
    const passed = this.#buffer
      ? await this.#buffer.push(normalized, this.#normalizer.markers)
      : normalized;
    this.#text += passed;
    return passed;
  }
}

/** A document without a web address is linked through our API. Other text has a URN: clients expect some URL. */
function urlOf({ id, metadata, document_id }: CitedSource): string {
  if (typeof metadata.url === "string" && /^https?:\/\//.test(metadata.url)) {
    return metadata.url;
  }
  return document_id === null
    ? `urn:footnote:source:${id}`
    : new URL(`/v1/kb/documents/${document_id}`, env.APP_URL).href;
}
