import { type Calibration, LEAST_SEPARATION } from "@/lib/library/documents/calibration";
import { calibrateSpace } from "@/lib/library/documents/write/calibrate-space";
import { finishImport } from "@/lib/library/documents/write/import";
import { continueReindex, createReindexCursor } from "@/lib/library/documents/write/reindex";
import { dropOtherSpaces, maintainVectorIndexes } from "@/lib/library/documents/write/vector-index";
import { embedder } from "@/lib/models/embedding";

const LINE_EVERY_MS = 5000;

export async function runReembed(collectionId: string | null): Promise<number> {
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort(new Error("Stopped. Run it again to continue.")));
  const model = await embedder(stop.signal);
  const cursor = createReindexCursor(collectionId);
  let shownAt = performance.now();
  while (!cursor.isDone) {
    await continueReindex(cursor, stop.signal);
    stop.signal.throwIfAborted();
    if (performance.now() - shownAt >= LINE_EVERY_MS) {
      shownAt = performance.now();
      process.stdout.write(`${cursor.done} chunks so far\n`);
    }
  }
  const dropped = model ? await dropOtherSpaces(collectionId, model.space) : 0;
  const calibration = await calibrateSpace({ when: "always" });
  if (cursor.done + dropped > 0) {
    await finishImport();
  }
  await maintainVectorIndexes();
  process.stdout.write(
    `indexed or embedded again: ${cursor.done} chunks; vectors of other models dropped: ${dropped}\n`,
  );
  if (calibration) {
    process.stdout.write(`${separationLine(calibration)}\n`);
  }
  return 0;
}

function separationLine({ separation }: Calibration): string {
  const measured = `the model tells passages apart by ${separation.toFixed(1)} standard deviations`;
  return separation < LEAST_SEPARATION
    ? `${measured}, less than ${LEAST_SEPARATION}: searches are by words alone`
    : measured;
}
