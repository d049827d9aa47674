import { log } from "@/lib/log";
import type { StreamFacts } from "./sse";

/** What a handler returns for a file to keep: route() turns it into a response that is written as it is read. */
export class Download {
  constructor(
    readonly chunks: AsyncIterable<string>,
    /** `name` stands in a header as it is: letters, digits, dots and hyphens. */
    readonly file: { name: string; mediaType: string },
  ) {}
}

/** Streams a file. A failure breaks the transfer off, so that no half of a file passes for the whole. */
export function downloadResponse(
  { chunks, file }: Download,
  { requestId, onHangUp }: StreamFacts,
): Response {
  const source = chunks[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next = await source.next();
        if (next.done) {
          controller.close();
        } else {
          controller.enqueue(encoder.encode(next.value));
        }
      } catch (thrown) {
        log.error({ err: thrown, request_id: requestId }, "download failed after its first byte");
        controller.error(thrown);
      }
    },
    async cancel() {
      onHangUp();
      await source.return?.();
    },
  });
  return new Response(body, {
    headers: {
      "content-type": file.mediaType,
      "content-disposition": `attachment; filename="${file.name}"`,
      "cache-control": "no-store",
    },
  });
}
