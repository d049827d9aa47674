import { registerHooks } from "node:module";

// Processes and threads of the sources, in development and tests; a build has threads.mjs. Node strips the types. The rest of
// TypeScript's resolution is done here: "@/" and imports without an extension.
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

// Only now: the hooks apply to what is imported later.
await import("./threads.ts");
