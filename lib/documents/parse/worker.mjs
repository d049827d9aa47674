import { registerHooks } from "node:module";

// Node strips the types. The rest of TypeScript's resolution is done here: "@/" and imports without an extension.
const ROOT = new URL("../../../", import.meta.url);

registerHooks({
  resolve(specifier, context, next) {
    const target = ownModule(specifier, context.parentURL ?? "");
    return next(target ?? specifier, context);
  },
});

function ownModule(specifier, parent) {
  const isOurs = specifier.startsWith(".") && !parent.includes("/node_modules/");
  if (!isOurs && !specifier.startsWith("@/")) {
    return null;
  }
  const { href } = isOurs ? new URL(specifier, parent) : new URL(specifier.slice(2), ROOT);
  return /\.(?:[cm]?[jt]s|json)$/.test(href) ? href : `${href}.ts`;
}

/** Draws a page, for the pool of page images. */
export async function paint(message) {
  const { paintPage } = await import("./pdf/paint-page.ts");
  return paintPage(message);
}

/** The parser pool's entry point. */
export async function read(message) {
  const { readMessage } = await import("./read-file.ts");
  return readMessage(message);
}

/** The entry point of the pool that recognizes text. */
export async function recognize(message) {
  const { recognizePage } = await import("../ocr/recognize-page.ts");
  return recognizePage(message);
}

/** The entry points of the thread that reads large uploads. */
export async function receive(message) {
  const { parseForm } = await import("../receive/form-thread.ts");
  return parseForm(message);
}

export async function hash(message) {
  const { hashChunks } = await import("../receive/form-thread.ts");
  return hashChunks(message);
}
