import { BracketStyle } from "./markers/loose-forms";
import { MAX_BRACKET_DEPTH, type MarkerCounts, MarkerGroup } from "./markers/marker-group";
import { isPlainBracket, MAX_MARKER_LENGTH, MarkerRun } from "./markers/marker-run";
import { OutputBuffer, type PlacedMarker } from "./markers/output-buffer";
import { OwnIntervals } from "./markers/own-intervals";
import { parseMarker } from "./markers/parse-marker";
import { VerbatimScanner } from "./markers/verbatim-scanner";
import { LOOK_AHEAD, runLength } from "./markers/verbatim-span";

/** Most characters buffered: a marker with blanks and brackets, in code and mathematics LOOK_AHEAD more. */
export const MAX_HELD = 128 + LOOK_AHEAD;

/** What can start something: a bracket with the blanks before it, code, mathematics, an escape, a new line. */
const SIGN = /[ \t]{0,8}[[［【〔〖⟦(\\]|[`~$\]\n]/g;
/** Blanks at the end of a piece may belong to a marker in the next one. */
const TRAILING_BLANKS = /[ \t]{1,8}$/;
const MAX_TRAILING_BLANKS = 8;
const OPENER = /[[［【〔〖⟦(]/;

/** What the normalizer found in the whole text. */
export interface MarkerReport extends Omit<MarkerCounts, "dropped"> {
  /** Numbers that no source has, ascending, with how often each occurred. */
  dropped: { number: number; count: number }[];
}

export function normalizeMarkers(
  text: string,
  sourceCount: number,
  sourceTexts: readonly string[] = [],
) {
  const normalizer = new MarkerNormalizer(sourceCount, sourceTexts);
  const output = normalizer.push(text) + normalizer.end();
  return { text: output, report: normalizer.report, markers: normalizer.markers };
}

/**
 * Rewrites a model's citation markers to `[n]` and removes numbers that no source has. Code, links,
 * definitions, indexes, intervals and mathematics stay unchanged. The output doesn't depend on how the text is
 * split into pieces. Runs in linear time.
 */
export class MarkerNormalizer {
  /** Number of decisions made; tests use it to check that the time is linear. */
  steps = 0;
  #buffer = new OutputBuffer();
  #verbatim = new VerbatimScanner(this.#buffer);
  #counts: MarkerCounts = { kept: 0, repaired: 0, dropped: new Map() };
  #run: MarkerRun | null = null;
  readonly #style: BracketStyle;
  /** Held until its low surrogate arrives. */
  #highSurrogate = "";

  readonly #ownIntervals: OwnIntervals;

  /** `sourceTexts`: intervals and numbers in parentheses that they contain, as in "59.6% [40-75]", aren't citations. */
  constructor(
    private readonly sourceCount: number,
    sourceTexts: readonly string[] = [],
  ) {
    this.#ownIntervals = new OwnIntervals(sourceTexts, sourceCount);
    this.#style = new BracketStyle(sourceTexts, sourceCount);
  }

  get report(): MarkerReport {
    const dropped = [...this.#counts.dropped].map(([number, count]) => ({ number, count }));
    return { ...this.#counts, dropped: dropped.sort((one, other) => one.number - other.number) };
  }

  /** The markers written so far, in text order. */
  get markers(): readonly PlacedMarker[] {
    return this.#buffer.markers;
  }

  push(piece: string): string {
    const text = this.#highSurrogate + piece;
    this.#highSurrogate =
      !this.#buffer.isComplete && /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : "";
    this.#buffer.text += this.#highSurrogate ? text.slice(0, -1) : text;
    while (this.#step()) {
      this.steps += 1;
    }
    const { output, length } = this.#buffer.flush();
    this.#verbatim.shift(length);
    return output;
  }

  /** Returns everything still buffered. */
  end(): string {
    this.#buffer.isComplete = true;
    return this.push("");
  }

  /** Returns false when it needs more text. */
  #step(): boolean {
    if (this.#run) {
      return this.#stepRun(this.#run);
    }
    return this.#buffer.nextChar !== "" && (this.#verbatim.copyVerbatim() || this.#stepText());
  }

  #stepRun(run: MarkerRun): boolean {
    const step = run.step();
    if (step === "done") {
      this.#run = null;
      if (!run.isMarked) {
        this.#buffer.copyTo(this.#buffer.position + 1);
      }
    }
    return step !== "wait";
  }

  #stepText(): boolean {
    const { text, position } = this.#buffer;
    SIGN.lastIndex = position;
    const found = SIGN.exec(text);
    if (found?.index !== position) {
      return this.#copyWords(found?.index);
    }
    const at = position + found[0].length - 1;
    const sign = text.charAt(at);
    if (sign === "\\") {
      return this.#stepEscape(at);
    }
    return OPENER.test(sign) ? this.#startRun(at) : this.#verbatim.readSign(sign);
  }

  /** "\\[1\\]" is a marker; other escapes, and mathematics, are copied. */
  #stepEscape(at: number): boolean {
    const buffer = this.#buffer;
    const ahead = buffer.lookahead(at, MAX_MARKER_LENGTH);
    const isMarker = parseMarker(ahead, at) !== null;
    if (ahead.needsMore) {
      return false;
    }
    if (isMarker) {
      return this.#startRun(at);
    }
    if (at > buffer.position) {
      buffer.copyTo(at);
      return true;
    }
    return this.#verbatim.readSign("\\");
  }

  /** Copies words up to the next sign or, if there is none yet, up to the trailing blanks. */
  #copyWords(sign: number | undefined): boolean {
    const buffer = this.#buffer;
    const rest = buffer.text.slice(-MAX_TRAILING_BLANKS);
    const open = buffer.isComplete ? 0 : (TRAILING_BLANKS.exec(rest)?.[0].length ?? 0);
    const end = sign ?? Math.max(buffer.position, buffer.text.length - open);
    const hasMore = end > buffer.position;
    buffer.copyTo(end);
    return hasMore;
  }

  #startRun(at: number): boolean {
    const buffer = this.#buffer;
    const run = runLength(buffer.text, at);
    if (run > MAX_BRACKET_DEPTH + 1 || isPlainBracket(buffer, at)) {
      buffer.copyTo(at + Math.max(1, run - 1));
      return true;
    }
    const lead = buffer.text.slice(buffer.position, at);
    const group = new MarkerGroup(this.sourceCount, this.#counts, lead);
    buffer.skipTo(at);
    const parts = { verbatim: this.#verbatim, own: this.#ownIntervals, style: this.#style };
    this.#run = new MarkerRun(buffer, { ...parts, group });
    return true;
  }
}
