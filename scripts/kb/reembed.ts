import { type Calibration, LEAST_SEPARATION } from "@/lib/library/documents/calibration";
import { PUBLIC_COLLECTION } from "@/lib/library/documents/collections";
import { calibrateSpace } from "@/lib/library/documents/write/calibrate-space";
import { finishImport } from "@/lib/library/documents/write/import";
import {
  continueReindex,
  countStale,
  createReindexCursor,
} from "@/lib/library/documents/write/reindex";
import { dropOtherSpaces, maintainVectorIndexes } from "@/lib/library/documents/write/vector-index";
import { embedder } from "@/lib/models/embedding";
import { openProgress } from "../command/progress";

const SHOW_EVERY_MS = 1000;

export async function runReembed(collectionId: string | null): Promise<number> {
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort(new Error("Stopped. Run it again to continue.")));
  const model = await embedder(stop.signal);
  const done = await reindexAll(collectionId, stop.signal);
  const dropped = model ? await dropOtherSpaces(collectionId, model.space) : 0;
  const calibration = await calibrateSpace({ when: "always" });
  if (done + dropped > 0) {
    await finishImport();
  }
  await maintainVectorIndexes();
  process.stdout.write(
    `indexed or embedded again: ${done} chunks; vectors of other models dropped: ${dropped}\n`,
  );
  if (calibration) {
    process.stdout.write(`${separationLine(calibration)}\n`);
  }
  return 0;
}

/** Embeds imported documents, which searches already find by their words: so a model that fails is only reported. */
export async function embedImported(signal: AbortSignal): Promise<void> {
  try {
    if (await embedder(signal)) {
      await reindexAll(PUBLIC_COLLECTION.id, signal);
    }
  } catch (cause) {
    signal.throwIfAborted();
    const reason = cause instanceof Error ? cause.message : String(cause);
    process.stderr.write(
      `Not all passages are embedded: ${reason}. Searches find the others by their words. A server embeds them in the background, or run: npm run kb -- reembed\n`,
    );
  }
}

/** Returns how many chunks were reindexed or embedded. What is done stays done if it fails. */
async function reindexAll(collectionId: string | null, signal: AbortSignal): Promise<number> {
  const cursor = createReindexCursor(collectionId);
  const total = await countStale(cursor, await embedder(signal));
  const startedAt = performance.now();
  const progress = openProgress(total, {
    ...{ stream: process.stdout, initial: 0 },
    format: "{bar} {percentage}% | {value} of {total} passages | {eta_formatted} left",
    payload: () => ({}),
    line: (percent, done) => {
      const perChunk = (performance.now() - startedAt) / done;
      const minutes = Math.ceil((perChunk * (total - done)) / 60_000);
      const left = done > 0 ? `, about ${minutes} min left` : "";
      return `${percent}%: ${done} of ${total} passages${left}`;
    },
  });
  const show = () => {
    progress.reach(cursor.done);
    progress.show(cursor.done);
  };
  const timer = setInterval(show, SHOW_EVERY_MS);
  try {
    while (!cursor.isDone) {
      await continueReindex(cursor, signal);
      signal.throwIfAborted();
    }
    progress.reach(cursor.done);
  } finally {
    clearInterval(timer);
    progress.end();
  }
  return cursor.done;
}

function separationLine({ separation }: Calibration): string {
  const measured = `the model tells passages apart by ${separation.toFixed(1)} standard deviations`;
  return separation < LEAST_SEPARATION
    ? `${measured}, less than ${LEAST_SEPARATION}: searches are by words alone`
    : measured;
}
