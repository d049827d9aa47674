import "server-only";

import { query, type Row } from "@/lib/platform/db/client";
import { processSingleton } from "@/lib/singleton";
import type { Calibration } from "../calibration";

/** How long another process's calibration may go unnoticed. */
const REUSE_MS = 60_000;

const known = processSingleton(
  "calibrations",
  () => new Map<string, { readAt: number; calibration: Promise<Calibration | null> }>(),
);

/** Null for a space that isn't calibrated yet. Searches ask for it, so the database is asked once a minute. */
export function readCalibration(space: string): Promise<Calibration | null> {
  const last = known.get(space);
  if (last && performance.now() - last.readAt < REUSE_MS) {
    return last.calibration;
  }
  const calibration = findCalibration(space).catch((cause: unknown) => {
    known.delete(space);
    throw cause;
  });
  known.set(space, { readAt: performance.now(), calibration });
  return calibration;
}

/** The next search reads it again. */
export function forgetCalibration(space: string): void {
  known.delete(space);
}

async function findCalibration(space: string): Promise<Calibration | null> {
  const [row] = await query<Calibration & Row>(
    "documents_calibration",
    "SELECT mean, deviation, separation FROM vector_space WHERE space = $1",
    [space],
  );
  return row ?? null;
}
