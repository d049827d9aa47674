import { createHash } from "node:crypto";
import { on } from "node:events";
import { type MessagePort, parentPort } from "node:worker_threads";
import { AppError, type ErrorCode } from "@/lib/errors";
import { type FormLimits, FormParser, type ReceivedForm } from "./form-parser";

/** Opens a form in a thread. Each chunk sent to the port gets one reply, and so does null, which ends the body. */
interface FormMessage {
  port: MessagePort;
  contentType: string;
  limits: FormLimits;
}

/** As `FormMessage`, for the hashes of a file. */
interface HashMessage {
  port: MessagePort;
}

/** What a chunk completed: slices of the file, the form, or a problem. */
export interface FormReply {
  slices: Uint8Array<ArrayBuffer>[];
  form?: ReceivedForm;
  /** An AppError as plain data, because an error loses its class on the way. */
  problem?: { code: ErrorCode; message: string; param: string | null };
}

/** The thread's side of `openTask`. A task ends when its body does, or when the port closes because the client is gone. */
export function serveUploads(): void {
  parentPort?.on("message", async (message: FormMessage | HashMessage) => {
    const { port } = message;
    try {
      await ("limits" in message ? parseForm(message) : hashChunks(message));
    } catch (thrown) {
      port.postMessage(thrown);
    } finally {
      port.close();
    }
  });
}

async function parseForm({ port, contentType, limits }: FormMessage): Promise<void> {
  try {
    await replyToChunks(port, contentType, limits);
  } catch (thrown) {
    if (!(thrown instanceof AppError)) {
      throw thrown;
    }
    const { code, message, param } = thrown;
    reply(port, { slices: [], problem: { code, message, param } });
  }
}

async function replyToChunks(
  port: MessagePort,
  contentType: string,
  limits: FormLimits,
): Promise<void> {
  let slices: FormReply["slices"] = [];
  const parser = new FormParser(contentType, limits, (slice) => slices.push(slice));
  for await (const chunk of chunksOf(port)) {
    if (chunk === null) {
      reply(port, { slices: [], form: await parser.end() });
      return;
    }
    await parser.write(chunk);
    reply(port, { slices });
    slices = [];
  }
}

/** Of a whole file, in hexadecimal digits. */
export interface FileHashes {
  md5: string;
  sha256: string;
}

export interface HashReply {
  hashes?: FileHashes;
}

async function hashChunks({ port }: HashMessage): Promise<void> {
  const md5 = createHash("md5");
  const sha256 = createHash("sha256");
  for await (const chunk of chunksOf(port)) {
    if (chunk === null) {
      port.postMessage({ hashes: { md5: md5.digest("hex"), sha256: sha256.digest("hex") } });
      break;
    }
    md5.update(chunk);
    sha256.update(chunk);
    port.postMessage({});
  }
}

/** What the port is sent until it closes: chunks of a body, then null. */
async function* chunksOf(port: MessagePort): AsyncGenerator<Uint8Array | null> {
  const messages = on(port, "message", { close: ["close"] });
  for await (const [chunk] of messages as AsyncIterable<[Uint8Array | null]>) {
    yield chunk;
  }
}

function reply(port: MessagePort, message: FormReply): void {
  const files = [...message.slices, ...(message.form?.file ? [message.form.file.rest] : [])];
  port.postMessage(
    message,
    files.map(({ buffer }) => buffer),
  );
}
