import { MarkerCount, MarkerGroup, type MarkerReport, MOST_WRAPS } from "./markers/marker-group";
import { isPlainBracket, MarkerRun } from "./markers/marker-run";
import { OutputBuffer, type PlacedMarker } from "./markers/output-buffer";
import { VerbatimScanner } from "./markers/verbatim-scanner";
import { LOOK_AHEAD, runLength } from "./markers/verbatim-span";

/**
 * No more characters are ever held back: a marker, the blanks before it and what a bracket around it
 * holds. In inline code and mathematics a marker waits for the end of those, within LOOK_AHEAD.
 */
export const HELD_MOST = 128 + LOOK_AHEAD;

/** Where something may begin: a bracket with the blanks before it, code, mathematics, an escape, a line. */
const SIGN = /[ \t]{0,8}[[［【〔〖⟦(]|[`~\\$\]\n]/g;
/** Blanks that end a piece may belong to a marker. */
const OPEN_END = /[ \t]{1,8}$/;
const LONGEST_OPEN_END = 8;
const OPENER = /[[［【〔〖⟦(]/;

/** A text that a guard has passed, what it found, and where the markers stand in it. */
export interface NormalizedText {
  text: string;
  report: MarkerReport;
  markers: readonly PlacedMarker[];
}

/** A model's whole text with its markers in one form. */
export function normalizeMarkers(text: string, sourceCount: number): NormalizedText {
  const guard = new MarkerNormalizer(sourceCount);
  const guarded = guard.push(text) + guard.end();
  return { text: guarded, report: guard.report, markers: guard.markers };
}

/**
 * Passes a model's text on with its citation markers in one form, "[n]", and without the numbers that no
 * source has. Code, links, definitions, indexes, intervals and mathematics pass as they are. The text may
 * come in any pieces: what the calls return joins to the same whole. Its time is linear.
 */
export class MarkerNormalizer {
  /** How many decisions were taken. */
  turns = 0;
  #tape = new OutputBuffer();
  #quiet = new VerbatimScanner(this.#tape);
  #count = new MarkerCount();
  #cluster: MarkerRun | null = null;
  /** The first half of a character whose second is still to come. */
  #half = "";

  constructor(private readonly sourceCount: number) {}

  get report(): MarkerReport {
    return this.#count.report();
  }

  /** The markers that went out, in the order of the text; what was left alone is none. */
  get markers(): readonly PlacedMarker[] {
    return this.#tape.markers;
  }

  /** Takes the next piece of the text and gives what can go out. */
  push(piece: string): string {
    const text = this.#half + piece;
    this.#half = !this.#tape.isWhole && /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : "";
    this.#tape.text += this.#half ? text.slice(0, -1) : text;
    while (this.#turn()) {
      this.turns += 1;
    }
    const { output, length } = this.#tape.take();
    this.#quiet.shift(length);
    return output;
  }

  /** Gives all that was held back. */
  end(): string {
    this.#tape.isWhole = true;
    return this.push("");
  }

  /** Whether it went on. */
  #turn(): boolean {
    if (this.#cluster) {
      return this.#passCluster(this.#cluster);
    }
    return this.#tape.next !== "" && (this.#quiet.pass() || this.#passText());
  }

  #passCluster(cluster: MarkerRun): boolean {
    const turn = cluster.turn();
    if (turn === "end") {
      this.#cluster = null;
      if (!cluster.isMarked) {
        this.#tape.pass(this.#tape.at + 1);
      }
    }
    return turn !== "wait";
  }

  #passText(): boolean {
    const tape = this.#tape;
    SIGN.lastIndex = tape.at;
    const found = SIGN.exec(tape.text);
    if (found?.index !== tape.at) {
      return this.#passWords(found?.index);
    }
    const at = tape.at + found[0].length - 1;
    const sign = tape.text.charAt(at);
    return OPENER.test(sign) ? this.#passOpener(at) : this.#quiet.read(sign);
  }

  /** Passes words up to the sign after them or, where none has come yet, up to the blanks that end them. */
  #passWords(sign: number | undefined): boolean {
    const tape = this.#tape;
    const rest = tape.text.slice(-LONGEST_OPEN_END);
    const open = tape.isWhole ? 0 : (OPEN_END.exec(rest)?.[0].length ?? 0);
    const end = sign ?? Math.max(tape.at, tape.text.length - open);
    const hasMore = end > tape.at;
    tape.pass(end);
    return hasMore;
  }

  #passOpener(at: number): boolean {
    const tape = this.#tape;
    const run = runLength(tape.text, at);
    if (run > MOST_WRAPS + 1 || isPlainBracket(tape, at)) {
      tape.pass(at + Math.max(1, run - 1));
      return true;
    }
    const lead = tape.text.slice(tape.at, at);
    const group = new MarkerGroup(this.sourceCount, this.#count);
    tape.skip(at);
    this.#cluster = new MarkerRun({ tape, quiet: this.#quiet, lead }, group);
    return true;
  }
}
