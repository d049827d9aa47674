import { abortReason } from "@/lib/http/shutdown";
import { bindToRequest, type StreamFacts } from "./bind-to-request";
import { toAppError } from "./error-response";

/** A handler returns this to send a file, or a body too large to build at once: route() streams its chunks. */
export class Download {
  constructor(
    readonly chunks: AsyncIterable<string>,
    /** With a name, a browser saves it. It goes into a header unescaped: letters, digits, dots and hyphens only. */
    readonly file: { name?: string; mediaType: string; headers?: Record<string, string> },
  ) {}
}

/** A failure aborts the transfer, so that a partial file can't pass for a complete one. */
export function downloadResponse(
  { chunks, file }: Download,
  facts: StreamFacts,
  headers: Record<string, string>,
): Response {
  const { onDisconnect, onEnd } = facts;
  const source = bindToRequest(chunks, facts);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next = await source.next();
        const aborted = abortReason(facts.signal);
        if (aborted) {
          throw aborted;
        }
        if (next.done) {
          onEnd({ isCut: source.isCanceled() });
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
      await source.cancel();
    },
  });
  return new Response(body, {
    headers: {
      "content-type": file.mediaType,
      ...(file.name && { "content-disposition": `attachment; filename="${file.name}"` }),
      ...file.headers,
      ...headers,
    },
  });
}
