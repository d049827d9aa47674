import { onTestFinished } from "vitest";
import { dispatch } from "./api";

interface SlowUploadOptions {
  path?: string;
  headers?: Record<string, string>;
}

/**
 * An upload whose body arrives as it is sent. What is still open when its test ends is failed, so that a test that
 * breaks off leaves no upload in flight to the others of its process.
 */
export function slowUpload(
  key: string,
  { path = "/v1/kb/documents", headers = {} }: SlowUploadOptions = {},
) {
  const isRead = { yet: false };
  let controller: ReadableStreamDefaultController | undefined;
  const body = new ReadableStream(
    {
      start: (made) => {
        controller = made;
      },
      pull: () => {
        isRead.yet = true;
      },
    },
    { highWaterMark: 0 },
  );
  const answer = dispatch(`http://localhost:3000${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "multipart/form-data; boundary=x",
      ...headers,
    },
    body,
    duplex: "half",
  } as RequestInit);
  const fail = (cause = new Error("the client disconnected")) => controller?.error(cause);
  onTestFinished(async () => {
    fail();
    await answer.catch(() => {});
  });
  return {
    answer,
    isRead,
    send: (bytes: string | Buffer) => controller?.enqueue(Buffer.from(bytes)),
    end: () => controller?.close(),
    fail,
  };
}
