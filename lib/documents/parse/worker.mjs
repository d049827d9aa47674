import { registerHooks } from "node:module";

// Node takes the types off by itself; what is left to do is what TypeScript's resolution does besides:
// "@/" for the root, and the extension that an import of ours leaves out.
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

/** What the pool calls. */
export async function read(message) {
  const { readMessage } = await import("./thread.ts");
  return readMessage(message);
}
