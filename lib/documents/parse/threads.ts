import type { PageTask } from "../ocr/recognize-page";
import type { FormMessage } from "../receive/form-thread";
import type { PaintMessage } from "./pdf/paint-page";
import type { ReadMessage } from "./pool";

// The threads' entry points, by the names that their pools have. Each loads its own modules alone.

export async function paint(message: PaintMessage) {
  const { paintPage } = await import("./pdf/paint-page");
  return paintPage(message);
}

export async function read(message: ReadMessage) {
  const { readMessage } = await import("./read-file");
  return readMessage(message);
}

export async function recognize(message: PageTask) {
  const { recognizePage } = await import("../ocr/recognize-page");
  return recognizePage(message);
}

export async function receive(message: FormMessage) {
  const { parseForm } = await import("../receive/form-thread");
  return parseForm(message);
}

export async function hash(message: Pick<FormMessage, "port">) {
  const { hashChunks } = await import("../receive/form-thread");
  return hashChunks(message);
}
