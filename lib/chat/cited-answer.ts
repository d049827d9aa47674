import { MarkerNormalizer } from "@/lib/citations/markers";
import { isRendered, MarkerRenderer, toShownSources } from "@/lib/citations/render";
import type { CitationsOptions, CitedSource } from "@/lib/citations/schema";
import { SentenceBuffer } from "@/lib/citations/sentence-buffer";
import {
  type AnswerSource,
  sourceLabelOf,
  type VerifiedAnswer,
  verifyAnswer,
} from "@/lib/citations/verification";
import { documentApiUrl, permalinkOf, publicSourceUrlOf } from "@/lib/documents/permalink";
import type { QuoteLinker } from "@/lib/documents/quote-link";
import type { AskedQuestion } from "@/lib/questions/asked-question";
import { addQuoteBoxes } from "./quote-boxes";
import type { ClaimJudge } from "./verifier";

/** The sources of an answer, and how to check it against them. */
interface Evidence {
  /** The first is source 1. */
  sources: readonly AnswerSource<CitedSource>[];
  options: Pick<CitationsOptions, "verify" | "on_unsupported" | "quotes"> &
    Partial<Pick<CitationsOptions, "render" | "numbering">>;
  /** What was searched with. */
  question: AskedQuestion;
  quoteLinkOf?: QuoteLinker | null;
}

/** The text of one choice on its way out. The result doesn't depend on how it was split into pieces. */
export class CitedAnswer {
  readonly #normalizer: MarkerNormalizer;
  readonly #buffer: SentenceBuffer | null;
  /** Null when the text goes out with its markers as they are. */
  readonly #renderer: MarkerRenderer | null;
  /** Normalized, before it is rendered. */
  #text = "";

  constructor(
    private readonly evidence: Evidence,
    private readonly judge: ClaimJudge,
  ) {
    this.#normalizer = new MarkerNormalizer(
      evidence.sources.length,
      sourceTextsOf(evidence.sources),
    );
    this.#buffer =
      evidence.options.on_unsupported === "strip"
        ? new SentenceBuffer((claims) => judge.unsupportedMarkers(claims))
        : null;
    const { render = "markers", numbering = "source" } = evidence.options;
    this.#renderer = isRendered({ render, numbering })
      ? new MarkerRenderer(toShown(evidence), { render, numbering })
      : null;
  }

  /** The number of a source in the text, which is final when the answer has ended. */
  numberOf(id: number): number {
    return this.#renderer?.numberOf(id) ?? id;
  }

  /** Accepts the model's next words and returns the text that can go out. */
  push(piece: string): Promise<string> {
    return this.#pass(this.#normalizer.push(piece));
  }

  /** Returns the text that was still held back. */
  async end(): Promise<string> {
    const rest = await this.#pass(this.#normalizer.end());
    const last = this.#render((await this.#buffer?.end()) ?? "");
    return rest + last + (this.#renderer?.end() ?? "");
  }

  /** Judges the ended answer. */
  async verify(): Promise<VerifiedAnswer> {
    const { sources, options, question } = this.evidence;
    const answer = {
      text: this.#text,
      markers: this.#markers,
      stripped: this.#buffer?.stripped ?? [],
      report: this.#normalizer.report,
    };
    const verified = await verifyAnswer(answer, sources, {
      method: options.verify,
      question,
      judge: (claim) => this.judge.judge(claim),
      analyze: (id) => this.judge.analyze(id),
      quotes: options.quotes,
      urlOf,
      permalinkOf: ({ document_id }, quote) =>
        document_id === null ? null : permalinkOf(document_id, quote),
    });
    const located = await addQuoteBoxes(verified, sources);
    return this.#renderer?.place(located) ?? located;
  }

  get #markers() {
    return this.#buffer?.markers ?? this.#normalizer.markers;
  }

  #render(text: string): string {
    this.#text += text;
    return this.#renderer?.write(text, this.#markers) ?? text;
  }

  async #pass(normalized: string): Promise<string> {
    const passed = this.#buffer
      ? await this.#buffer.push(normalized, this.#normalizer.markers)
      : normalized;
    return this.#render(passed);
  }
}

/** What an answer may repeat of its sources. */
export function sourceTextsOf(sources: readonly AnswerSource<CitedSource>[]): string[] {
  return sources.map((source) => `${sourceLabelOf(source)}\n${source.text}`);
}

/** A document without a web address is linked through our API. Other text has a URN: clients expect some URL. */
function urlOf(source: CitedSource): string {
  const { id, document_id } = source;
  return (
    ownUrlOf(source) ??
    (document_id === null ? `urn:footnote:source:${id}` : documentApiUrl(document_id))
  );
}

function ownUrlOf({ metadata: { url } }: CitedSource): string | null {
  return typeof url === "string" && /^https?:\/\//.test(url) ? url : null;
}

/**
 * What anyone may read is linked to its public page, and other documents to pages of their quotes, if the account shares
 * them, or else to their own address or the console.
 */
function toShown({ sources, quoteLinkOf }: Evidence) {
  const texts = new Map(sources.map((source) => [source.citation, source]));
  return toShownSources([...texts.keys()], (citation) => {
    const { text = "", charStart: start = 0 } = texts.get(citation) ?? {};
    const quote = { text, start, end: start + text.length };
    const { document_id: id, scope } = citation;
    if (id === null) {
      return { url: urlOf(citation), passage: urlOf(citation) };
    }
    const linkOf = scope === "public_kb" ? publicSourceUrlOf : quoteLinkOf;
    const passage = linkOf?.(id, quote) ?? permalinkOf(id, quote);
    return { url: linkOf ? passage : (ownUrlOf(citation) ?? passage), passage };
  });
}
