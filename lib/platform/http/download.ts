import { abortReason } from "@/lib/platform/http/shutdown";
import { bindToRequest, type StreamFacts } from "./bind-to-request";
import { toAppError } from "./error-response";

interface DownloadHead {
  /** With a name, browsers save the response instead of showing it. */
  name?: string;
  mediaType: string;
  /** 200 by default. */
  status?: number;
  headers?: Record<string, string>;
}

/** A handler returns this to send a file, or a body too large to build at once: route() streams its chunks. */
export class Download {
  constructor(
    readonly chunks: AsyncIterable<string | Uint8Array>,
    readonly file: DownloadHead,
  ) {}

  get status(): number {
    return this.file.status ?? 200;
  }
}

/** Bytes other than these are written in hexadecimal: RFC 8187. */
const UNESCAPED = /[^A-Za-z0-9!#$&+.^_`|~-]/gu;
/** Controls, marks that turn the direction of text, and what separates folders. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}/\\]/gu;
const PLAIN = /^[\w .()-]*$/;

/** An attachment with this file name, for clients that know only ASCII as well. */
export function attachment(name: string): string {
  const safe = name.replace(UNSAFE, "_");
  if (PLAIN.test(safe)) {
    return `attachment; filename="${safe}"`;
  }
  const encoded = safe.replace(UNESCAPED, (char) =>
    [...new TextEncoder().encode(char)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
      .join(""),
  );
  return `attachment; filename="${safe.replace(/[^\w .()-]/gu, "_")}"; filename*=UTF-8''${encoded}`;
}

/** A failure aborts the transfer, so that a partial file can't pass for a complete one. */
export function downloadResponse(
  { chunks, file, status }: Download,
  facts: StreamFacts,
  headers: Record<string, string>,
): Response {
  const head = {
    status,
    headers: {
      "content-type": file.mediaType,
      ...(file.name !== undefined && { "content-disposition": attachment(file.name) }),
      ...file.headers,
      ...headers,
    },
  };
  if (status === 304) {
    facts.onEnd({ isCut: false });
    return new Response(null, head);
  }
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
          const { value } = next;
          controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
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
  return new Response(body, head);
}
