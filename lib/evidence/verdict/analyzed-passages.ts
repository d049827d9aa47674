import { processSingleton } from "@/lib/singleton";
import { type AnalyzedPassage, analyzePassage } from "./analyze-passage";

/** About 70 MB: an analyzed character takes 60 bytes. */
const MAX_CHARACTERS = 1_200_000;
/** A full cache is emptied when it has missed so many more passages than it found. */
const MAX_MISSED = 5000;

const known = processSingleton("analyzed passages", () => ({
  byChunk: new Map<string, AnalyzedPassage>(),
  characters: 0,
  missed: 0,
}));

/**
 * `analyzePassage` of a stored chunk, which may have been done for an earlier answer. What doesn't fit isn't kept: replacing
 * one passage by another costs the garbage collector almost as much as its analysis.
 */
export function analyzeChunk(chunkId: string, text: string, label: string): AnalyzedPassage {
  const found = known.byChunk.get(chunkId);
  // A chunk's text changes with its document, and with the neighbors that are shown.
  if (found?.passage === text && found.label.text === label) {
    known.missed = Math.max(0, known.missed - 1);
    return found;
  }
  const analyzed = analyzePassage(text, label);
  const characters = known.characters + text.length - (found?.passage.length ?? 0);
  if (characters <= MAX_CHARACTERS) {
    known.byChunk.set(chunkId, analyzed);
    known.characters = characters;
  } else {
    known.missed += 1;
  }
  if (known.missed > MAX_MISSED) {
    known.byChunk.clear();
    Object.assign(known, { characters: 0, missed: 0 });
  }
  return analyzed;
}
