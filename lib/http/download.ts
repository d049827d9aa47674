import { abortReason } from "@/lib/http/shutdown";
import { bindToRequest, type StreamFacts } from "./bind-to-request";
import { toAppError } from "./error-response";

/** What a handler returns for a file to keep: route() turns it into a response that is written as it is read. */
export class Download {
  constructor(
    readonly chunks: AsyncIterable<string>,
    /** `name` stands in a header as it is: letters, digits, dots and hyphens. */
    readonly file: { name: string; mediaType: string },
  ) {}
}

/** Streams a file. A failure breaks the transfer off, so that no half of a file passes for the whole. */
export function downloadResponse({ chunks, file }: Download, facts: StreamFacts): Response {
  const { onDisconnect: onHangUp, onEnd } = facts;
  const source = bindToRequest(chunks, facts);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next = await source.next();
        const cut = abortReason(facts.signal);
        if (cut) {
          throw cut;
        }
        if (next.done) {
          onEnd({ isCut: source.hasLeft() });
          controller.close();
        } else {
          controller.enqueue(encoder.encode(next.value));
        }
      } catch (thrown) {
        onEnd({ error: toAppError(thrown), isCut: true });
        controller.error(thrown);
      }
    },
    async cancel() {
      onDisconnect();
      await source.leave();
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
