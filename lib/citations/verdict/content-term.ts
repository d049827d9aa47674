import type { Direction } from "./directions";
import type { Word } from "./words";

/** A content word of a sentence. */
export interface ContentTerm {
  word: Word;
  stem: string;
  /** What it can be matched by, the kind of match first: "=stem", "~root", "#concept", "@short form", "^axis1". */
  keys: readonly string[];
  /** Where it goes of two opposite ways; null within a phrase, as "high" in "high blood pressure". */
  direction: Direction | null;
  /** Its token in the sentence. */
  token: number;
  /** Whether an odd number of denials bear on it. */
  isDenied: boolean;
}
