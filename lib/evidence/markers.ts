import { yieldIfLong } from "@/lib/event-loop";
import { abstains } from "./claims/abstention";
import { cutOffAt } from "./markers/cut-off";
import { isPlainBracket } from "./markers/disambiguate";
import { FOREIGN_SIGNS } from "./markers/foreign-forms";
import { BracketStyle } from "./markers/loose-forms";
import { MAX_BRACKET_DEPTH, type MarkerCounts, MarkerGroup } from "./markers/marker-group";
import { MAX_MARKER_LENGTH, MarkerRun } from "./markers/marker-run";
import { OutputBuffer, type PlacedMarker } from "./markers/output-buffer";
import { OwnIntervals } from "./markers/own-intervals";
import { parseMarker } from "./markers/parse-marker";
import { VerbatimScanner } from "./markers/verbatim-scanner";
import { LOOK_AHEAD, runLength } from "./markers/verbatim-span";

/** Most characters buffered: a marker with blanks and brackets, in code and mathematics LOOK_AHEAD more. */
export const MAX_HELD = 128 + LOOK_AHEAD;

/** Takes a few milliseconds, whatever it is full of. */
const PART_LENGTH = 1024;

/** What can start something: a bracket with the blanks before it, code, mathematics, an escape, a new line. */
const SIGN = new RegExp(`[ \\t]{0,8}[[［【〔〖⟦(\\\\${FOREIGN_SIGNS}]|[\`~$\\]\\n]`, "g");
/** Blanks at the end of a piece may belong to a marker in the next one. */
const TRAILING_BLANKS = /[ \t]{1,8}$/;
const MAX_TRAILING_BLANKS = 8;
/** The beginning of a line of code that isn't in a code block. */
const CODE_LINE =
  /^\s*(?:>>> |import [\w.]+(?: as \w+)?$|(?:async )?def \w+\(|class \w+[(:{]|return\b[^a-z]*$|for \w+(?:, ?\w+)* in\s*$|(?:if|elif|while) .*(?: in|==|[<>])\s*$|SELECT\s|INSERT INTO\s|WHERE \w+\s*[=<>]|(?:const|let|var) \w+\s*=|[A-Za-z_][\w.]*\([^)]*$)/;
const OPENER = /[[［【〔〖⟦(]/;

/** What the normalizer found in the whole text. */
export interface MarkerReport extends Omit<MarkerCounts, "dropped" | "unknown"> {
  /** Numbers that no source has, ascending, with how often each occurred. */
  dropped: { number: number; count: number }[];
  /** How many brackets look like markers and were left as they are. */
  unknown: number;
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
  #counts: MarkerCounts = {
    kept: 0,
    repaired: 0,
    dropped: new Map(),
    unknown: { count: 0, last: -1 },
  };
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
    return {
      ...this.#counts,
      dropped: dropped.sort((one, other) => one.number - other.number),
      unknown: this.#counts.unknown.count,
    };
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

  /** The same for text of any length: lets others run between its parts. */
  async pushLong(text: string): Promise<string> {
    let output = "";
    for (let at = 0; at < text.length; at += PART_LENGTH) {
      await yieldIfLong();
      output += this.push(text.slice(at, at + PART_LENGTH));
    }
    return output;
  }

  /** Returns everything still buffered, without a marker that is cut off when `isCut`. */
  end({ isCut = false }: { isCut?: boolean } = {}): string {
    const buffer = this.#buffer;
    const isText = isCut && !this.#verbatim.isOpen && !CODE_LINE.test(buffer.line);
    const place = {
      before: buffer.tail + (this.#run?.held ?? ""),
      isNext: this.#run?.isMarked ?? false,
    };
    const cut = isText ? cutOffAt(buffer.text, buffer.position, place) : null;
    if (cut !== null) {
      buffer.text = buffer.text.slice(0, cut);
      this.#run?.dropLead();
    }
    buffer.isComplete = true;
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
    if (sign === "[" || sign === "{" || sign === "<") {
      const opens = this.#verbatim.opens(at);
      if (opens !== false) {
        return opens === true;
      }
    }
    const isStart = OPENER.test(sign) || FOREIGN_SIGNS.includes(sign);
    return isStart ? this.#startRun(at) : this.#verbatim.readSign(sign);
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
    const isBracket = OPENER.test(buffer.text.charAt(at));
    const run = isBracket ? runLength(buffer.text, at) : 1;
    const isText = run > MAX_BRACKET_DEPTH + 1 || CODE_LINE.test(buffer.line);
    if (isText || (isBracket && isPlainBracket(buffer, at))) {
      buffer.copyTo(at + Math.max(1, run - 1));
      return true;
    }
    const lead = buffer.text.slice(buffer.position, at);
    const isClaim = !abstains(lastSentence(buffer.tail));
    const group = new MarkerGroup({ sourceCount: this.sourceCount, isClaim }, this.#counts, lead);
    buffer.skipTo(at);
    const parts = { verbatim: this.#verbatim, own: this.#ownIntervals, style: this.#style };
    this.#run = new MarkerRun(buffer, { ...parts, group });
    return true;
  }
}

/** The sentence that a marker after this text cites. */
function lastSentence(text: string): string {
  return (
    text
      .trimEnd()
      .split(/(?<=[.!?])\s+|\n/)
      .at(-1) ?? ""
  );
}
