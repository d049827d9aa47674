import { AppError } from "@/lib/errors";
import { contentLengthOf, readChunks } from "@/lib/platform/http/read-body";
import { paceUpload } from "@/lib/platform/limits/upload-pace";
import {
  type FormLimits,
  FormParser,
  type ReceivedForm,
  SLICE_BYTES,
} from "@/lib/reading/receive/form-parser";
import type { FileHashes, FormReply, HashReply } from "@/lib/reading/receive/form-thread";
import { openTask } from "./upload-thread";

/** Stores a slice of the file. Its bytes belong to the callee. */
export type StoreSlice = (slice: Uint8Array) => Promise<void>;

/**
 * Reads a multipart body with at most one file, and gives the file to `store` in slices while it arrives: the next
 * bytes are read when a slice is stored. A body that can have more than one slice is parsed and hashed in a thread.
 * Throws 400, 413, or what `store` throws.
 */
export async function receiveForm(
  request: Request,
  limits: FormLimits,
  store: StoreSlice,
): Promise<ReceivedForm> {
  const contentType = request.headers.get("content-type") ?? "";
  const length = contentLengthOf(request);
  if (length !== null && length <= SLICE_BYTES) {
    return receiveSmall(request, { ...limits, maxBytes: length }, contentType);
  }
  const thread = openTask<FormReply>({ contentType, limits });
  try {
    for await (const chunk of readChunks(request, limits.maxBytes)) {
      for (const slice of checked(await thread.ask(chunk)).slices) {
        await store(slice);
      }
      await paceUpload(chunk.length);
    }
    const { form } = checked(await thread.ask(null));
    if (!form) {
      throw new Error("The thread returned no form.");
    }
    return form;
  } finally {
    thread.close();
  }
}

function checked(reply: FormReply): FormReply {
  if (reply.problem) {
    const { code, message, param } = reply.problem;
    throw new AppError(code, message, { param });
  }
  return reply;
}

async function receiveSmall(
  request: Request,
  limits: FormLimits,
  contentType: string,
): Promise<ReceivedForm> {
  const parser = new FormParser(contentType, limits, () => {
    throw new Error("A small form has a large file.");
  });
  for await (const chunk of readChunks(request, limits.maxBytes)) {
    await parser.write(chunk);
    await paceUpload(chunk.length);
  }
  return parser.end();
}

/** The hashes of a file, calculated in the thread, of whatever is given to it in turn. */
export function openHash() {
  const thread = openTask<HashReply>({});
  return {
    update: async (bytes: Uint8Array): Promise<void> => void (await thread.ask(bytes)),
    digest: async (): Promise<FileHashes> => {
      const { hashes } = await thread.ask(null);
      if (!hashes) {
        throw new Error("The thread returned no hashes.");
      }
      return hashes;
    },
    close: thread.close,
  };
}
