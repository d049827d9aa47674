import { processSingleton } from "@/lib/singleton";
import { type AnalyzedPassage, analyzePassage } from "./verdict/analyze-passage";

/** About 70 MB: an analyzed character takes 86 bytes. */
const MAX_CHARACTERS = 800_000;

/** By chunk, the one used longest ago first. */
const known = processSingleton("analyzed passages", () => ({
  byChunk: new Map<string, AnalyzedPassage>(),
  characters: 0,
}));

/** `analyzePassage` of a stored chunk, which may have been done for an earlier answer. */
export function analyzeChunk(chunkId: string, text: string, label: string): AnalyzedPassage {
  const found = known.byChunk.get(chunkId);
  forget(chunkId);
  // A chunk's text changes with its document, and with the neighbors that are shown.
  const isSame = found?.passage === text && found.label.text === label;
  const analyzed = isSame ? found : analyzePassage(text, label);
  known.byChunk.set(chunkId, analyzed);
  known.characters += text.length;
  for (const [oldest] of known.byChunk) {
    if (known.characters <= MAX_CHARACTERS) {
      break;
    }
    forget(oldest);
  }
  return analyzed;
}

function forget(chunkId: string): void {
  known.characters -= known.byChunk.get(chunkId)?.passage.length ?? 0;
  known.byChunk.delete(chunkId);
}
