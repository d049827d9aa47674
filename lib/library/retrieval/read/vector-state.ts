import "server-only";

import { LEAST_SEPARATION } from "@/lib/library/documents/calibration";
import { readCalibration } from "@/lib/library/documents/read/calibration";
import { embedder, queryCircuit } from "@/lib/models/embedding";

/** An open model answers at once; one that is down must not delay a health check. */
const TIMEOUT_MS = 200;

/**
 * Whether searches use the embedding model: `unavailable` until it has answered once and while searches find it
 * failing, `uncalibrated` until there are enough passages, `unused` if it doesn't tell them apart. Empty without a model.
 */
export async function readVectorState(): Promise<{ vectors?: string }> {
  try {
    const model = await embedder(AbortSignal.timeout(TIMEOUT_MS));
    if (!model) {
      return {};
    }
    return { vectors: queryCircuit().isOpen ? "unavailable" : await stateOf(model.space) };
  } catch {
    return { vectors: "unavailable" };
  }
}

async function stateOf(space: string): Promise<string> {
  const calibration = await readCalibration(space);
  const isUsed = (calibration?.separation ?? 0) >= LEAST_SEPARATION;
  return isUsed ? "used" : calibration ? "unused" : "uncalibrated";
}
