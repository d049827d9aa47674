import { finishImport } from "@/lib/documents/write/import";
import {
  continueReindex,
  createReindexCursor,
  dropOtherSpaces,
} from "@/lib/documents/write/reindex";
import { maintainVectorIndexes } from "@/lib/documents/write/vector-index";
import { embedder } from "@/lib/models/embedding";
import type { reembedOptions } from "./options";

const LINE_EVERY_MS = 5000;

/** `kb reembed`. */
export async function runReembed({
  collectionId,
}: ReturnType<typeof reembedOptions>): Promise<number> {
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort(new Error("Stopped. Run it again to go on.")));
  const model = await embedder(stop.signal);
  const pass = createReindexCursor(collectionId);
  let shownAt = performance.now();
  while (!pass.isOver) {
    await continueReindex(pass, stop.signal);
    stop.signal.throwIfAborted();
    if (performance.now() - shownAt >= LINE_EVERY_MS) {
      shownAt = performance.now();
      process.stdout.write(`${pass.done} chunks so far\n`);
    }
  }
  const dropped = model ? await dropOtherSpaces(collectionId, model.space) : 0;
  if (pass.done + dropped > 0) {
    await finishImport();
  }
  await maintainVectorIndexes();
  process.stdout.write(
    `indexed or embedded again: ${pass.done} chunks; vectors of other models dropped: ${dropped}\n`,
  );
  return 0;
}
