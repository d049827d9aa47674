import type { UrlOf } from "@/lib/answers/citations/annotations";
import { type DataAnswer, findJson, readData } from "@/lib/answers/citations/data-answer";
import { EchoFilter } from "@/lib/answers/citations/echo-filter";
import { isQuoted } from "@/lib/answers/citations/extended";
import { isRendered, MarkerRenderer, toShownSources } from "@/lib/answers/citations/render";
import type { CitationsOptions, CitedSource, SourceQuote } from "@/lib/answers/citations/schema";
import {
  type AnswerSource,
  sourceLabelOf,
  type VerifiedAnswer,
  verifyAnswer,
} from "@/lib/answers/citations/verification";
import { Attributor } from "@/lib/evidence/claims/attributor";
import { SentenceBuffer } from "@/lib/evidence/claims/sentence-buffer";
import { MarkerNormalizer } from "@/lib/evidence/markers";
import {
  permalinkOf,
  publicSourceUrlOf,
  sourceUrlOf,
  webAddressOf,
} from "@/lib/library/documents/permalink";
import type { QuoteLinker } from "@/lib/library/documents/quote-link";
import type { Quote } from "@/lib/library/documents/quote-ref";
import { findQuoteBoxes, type QuotedRange } from "@/lib/library/documents/read/quote-boxes";
import { log } from "@/lib/platform/log";
import type { ClaimJudge } from "./claim-judge";

/** The sources of an answer, and how to check it against them. */
interface Evidence {
  /** The first is source 1. */
  sources: readonly AnswerSource<CitedSource>[];
  options: Pick<CitationsOptions, "verify" | "on_unsupported" | "quotes"> &
    Partial<Pick<CitationsOptions, "render" | "numbering" | "attribute">>;
  /** What was searched with. */
  question: string;
  quoteLinkOf?: QuoteLinker | null;
}

/** The text of one choice on its way out. The result doesn't depend on how it was split into pieces. */
export class CitedAnswer {
  readonly #echoes = new EchoFilter();
  readonly #normalizer: MarkerNormalizer;
  readonly #attributor: Attributor | null;
  readonly #buffer: SentenceBuffer | null;
  /** Null when the text goes out with its markers as they are. */
  readonly #renderer: MarkerRenderer | null;
  /** Normalized, before it is rendered. */
  #text = "";
  /** What the ended answer is as JSON; undefined until it is verified. */
  #json: DataAnswer | null | undefined;

  /** `isData`: the request asked for JSON, which goes out as the model writes it. */
  constructor(
    private readonly evidence: Evidence,
    private readonly judge: ClaimJudge,
    private readonly isData = false,
  ) {
    this.#normalizer = new MarkerNormalizer(
      evidence.sources.length,
      sourceTextsOf(evidence.sources),
    );
    this.#attributor =
      evidence.options.attribute === "auto"
        ? new Attributor(async (sentence) =>
            isQuoted(sentence, evidence.question) ? null : judge.findSource(sentence),
          )
        : null;
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
    return (this.isData || this.#json ? null : this.#renderer?.numberOf(id)) ?? id;
  }

  /** Accepts the model's next words and returns the text that can go out. */
  async push(piece: string): Promise<string> {
    if (this.isData) {
      this.#text += piece;
      return piece;
    }
    return this.#pass(await this.#normalizer.pushLong(this.#echoes.push(piece)));
  }

  /** Returns the text that was still held back; if the answer was cut off at its limit, without half a marker. */
  async end(finish: string | null = null): Promise<string> {
    if (this.isData) {
      return "";
    }
    const held = this.#normalizer.push(this.#echoes.end());
    const end = this.#normalizer.end({ isCut: finish === "length" });
    const rest = await this.#pass(held + end);
    const attributed = await this.#hold((await this.#attributor?.end()) ?? "");
    const last = this.#render((await this.#buffer?.end()) ?? "");
    return rest + attributed + last + (this.#renderer?.end() ?? "");
  }

  /** Whether the ended answer is JSON for a program, alone or in a code block. */
  get isJson(): boolean {
    this.#json = this.#json === undefined ? findJson(this.#text) : this.#json;
    return this.#json !== null;
  }

  /** Whether the ended answer isn't the JSON that was asked for. */
  get isInvalid(): boolean {
    return this.isData && !this.isJson;
  }

  /** Judges the ended answer. */
  async verify(): Promise<VerifiedAnswer> {
    const { sources, options, question } = this.evidence;
    const answer = {
      text: this.#text,
      data: this.isJson && this.#json ? await this.#readData(this.#json) : null,
      markers: this.#markers,
      stripped: this.#buffer?.stripped ?? [],
      report: this.#normalizer.report,
    };
    const verified = await verifyAnswer(answer, sources, {
      method: options.verify,
      question,
      judge: (claims) => this.judge.judge(claims),
      analyze: (id) => this.judge.analyze(id),
      strips: options.on_unsupported === "strip",
      quotes: options.quotes,
      urlOf: createUrlOf(sources),
      permalinkOf: ({ document_id }, quote) =>
        document_id === null ? null : permalinkOf(document_id, quote),
    });
    const located = await addQuoteBoxes(verified, sources);
    return this.#json ? located : (this.#renderer?.place(located) ?? located);
  }

  #readData(json: DataAnswer) {
    const { sources, options, question } = this.evidence;
    return readData(json, this.#text, {
      sourceCount: sources.length,
      question,
      isAttributed: options.attribute === "auto",
      knows: (word) => this.judge.knows(word),
      findSource: (claim, minWeight) => this.judge.findSource(claim, minWeight),
    });
  }

  get #markers() {
    return this.#buffer?.markers ?? this.#attributed;
  }

  #render(text: string): string {
    this.#text += text;
    return this.#renderer?.write(text, this.#markers) ?? text;
  }

  /** The markers before unsupported ones are removed. */
  get #attributed() {
    return this.#attributor?.markers ?? this.#normalizer.markers;
  }

  async #pass(normalized: string): Promise<string> {
    const { markers } = this.#normalizer;
    return this.#hold((await this.#attributor?.push(normalized, markers)) ?? normalized);
  }

  async #hold(text: string): Promise<string> {
    return this.#render((await this.#buffer?.push(text, this.#attributed)) ?? text);
  }
}

/** What an answer may repeat of its sources. */
export function sourceTextsOf(sources: readonly AnswerSource<CitedSource>[]): string[] {
  return sources.map((source) => `${sourceLabelOf(source)}\n${source.text}`);
}

/**
 * The document's own web address, or the quote, or else the passage: on its public page if anyone may read it, otherwise in the
 * console. Text without a document has a URN: clients expect some URL.
 */
function createUrlOf(sources: Evidence["sources"]): UrlOf {
  const passages = passagesOf(sources);
  return (source, quote) => {
    const { id, document_id } = source;
    const place = quote
      ? { text: quote.text, start: quote.char_start, end: quote.char_end }
      : passages.get(source);
    return document_id && place
      ? sourceUrlOf({ ...source, document_id }, place)
      : (webAddressOf(source) ?? `urn:footnote:source:${id}`);
  };
}

function passagesOf(sources: Evidence["sources"]): ReadonlyMap<CitedSource, Quote> {
  return new Map(
    sources.map(({ citation, text, charStart: start }) => [
      citation,
      { text, start, end: start + text.length },
    ]),
  );
}

/**
 * What anyone may read is linked to its public page, and other documents to pages of their quotes, if the account shares
 * them, or else to their own address or the console.
 */
function toShown({ sources, quoteLinkOf }: Evidence) {
  const urlOf = createUrlOf(sources);
  const passages = passagesOf(sources);
  return toShownSources([...passages.keys()], (citation) => {
    const { document_id: id, scope } = citation;
    const place = passages.get(citation);
    if (id === null || !place) {
      return { url: urlOf(citation, null), passage: urlOf(citation, null) };
    }
    const linkOf = scope === "public_kb" ? publicSourceUrlOf : quoteLinkOf;
    const passage = linkOf?.(id, place) ?? permalinkOf(id, place);
    return { url: linkOf ? passage : (webAddressOf(citation) ?? passage), passage };
  });
}

/** Adds where quotes are on their pages. An answer without quotes of documents with pages costs no statement. */
async function addQuoteBoxes(
  verified: VerifiedAnswer,
  sources: readonly AnswerSource<CitedSource>[],
): Promise<VerifiedAnswer> {
  const byId = new Map(sources.map((source) => [source.citation.id, source]));
  const quoted = verified.annotations.flatMap(({ url_citation: { citation_id, quote } }) => {
    const range = quote && rangeOf(quote, byId.get(citation_id));
    return range ? [{ quote, range }] : [];
  });
  if (quoted.length === 0) {
    return verified;
  }
  // An answer is right without the boxes.
  const found = await findQuoteBoxes(quoted.map(({ range }) => range)).catch((err: unknown) => {
    log.warn({ err }, "could not read where quotes are on their pages");
    return [];
  });
  const boxes = new Map(quoted.map(({ quote }, index) => [quote, found[index] ?? null]));
  const withBoxes = (quote: SourceQuote) => {
    const own = boxes.get(quote);
    return own ? { ...quote, page: own[0]?.page ?? quote.page, boxes: own } : quote;
  };
  return {
    ...verified,
    annotations: verified.annotations.map(({ type, url_citation: { quote, ...citation } }) => ({
      type,
      url_citation: {
        ...citation,
        ...(quote !== undefined && { quote: quote && withBoxes(quote) }),
      },
    })),
  };
}

function rangeOf(
  { char_start: start, char_end: end }: SourceQuote,
  source: AnswerSource<CitedSource> | undefined,
): QuotedRange | null {
  const { citation, pageStarts } = source ?? {};
  return citation?.document_id && pageStarts?.length
    ? { documentId: citation.document_id, start, end, pageStarts }
    : null;
}
