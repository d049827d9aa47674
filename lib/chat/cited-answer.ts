import { MarkerNormalizer } from "@/lib/citations/markers";
import type { Citation } from "@/lib/citations/schema";
import { SentenceBuffer } from "@/lib/citations/sentence-buffer";
import { type VerifiedAnswer, verifyAnswer } from "@/lib/citations/verification";
import { permalinkOf } from "@/lib/documents/permalink";
import { env } from "@/lib/env";
import type { ClaimJudge } from "./claim-judge";
import type { Retrieved } from "./ground";

/**
 * One answer on its way out: its markers in one form, those of sources that do not support their sentence
 * taken away where asked for, and at the end what is said of it. Plain and streamed answers pass through
 * the same, so that the same words of a model give the same answer, whatever pieces they came in.
 */
export class CitedAnswer {
  readonly #guard: MarkerNormalizer;
  readonly #hold: SentenceBuffer | null;
  #text = "";

  constructor(
    private readonly retrieved: Retrieved,
    private readonly judging: ClaimJudge,
  ) {
    this.#guard = new MarkerNormalizer(retrieved.sources.length);
    this.#hold =
      retrieved.bounds.on_unsupported === "strip"
        ? new SentenceBuffer((claims) => judging.unsupportedMarkers(claims))
        : null;
  }

  /** What has gone out. */
  get text(): string {
    return this.#text;
  }

  /** Takes the model's next words and gives what can go out. */
  push(piece: string): Promise<string> {
    return this.#pass(this.#guard.push(piece));
  }

  /** Gives all that was held back. */
  async end(): Promise<string> {
    const rest = await this.#pass(this.#guard.end());
    const last = (await this.#hold?.end()) ?? "";
    this.#text += last;
    return rest + last;
  }

  /** What is said of the answer, once it has ended. */
  verify(): Promise<VerifiedAnswer> {
    const { sources, bounds } = this.retrieved;
    const { text, markers, stripped } = {
      text: this.#text,
      markers: this.#hold?.markers ?? this.#guard.markers,
      stripped: this.#hold?.stripped ?? [],
    };
    return verifyAnswer({ text, markers, stripped, report: this.#guard.report }, sources, {
      method: bounds.verify,
      judge: (claim) => this.judging.judge(claim),
      analyze: (id) => this.judging.read(id),
      quotes: bounds.quotes,
      urlOf,
      permalinkOf: ({ document_id }, quote) => permalinkOf(document_id, quote),
    });
  }

  async #pass(guarded: string): Promise<string> {
    const passed = this.#hold ? await this.#hold.push(guarded, this.#guard.markers) : guarded;
    this.#text += passed;
    return passed;
  }
}

/** A document without a web address of its own is named by ours. */
function urlOf({ metadata, document_id }: Citation): string {
  return typeof metadata.url === "string" && /^https?:\/\//.test(metadata.url)
    ? metadata.url
    : new URL(`/v1/kb/documents/${document_id}`, env.APP_URL).href;
}
