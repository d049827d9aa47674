// A step of `npm run build`. Prerendered public pages can be read without scripts, so theirs load when the reader first
// does something: React and Next's router alone are 113 kB. server/public-pages.ts does the same for pages that are
// rendered on request.
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { root } from "./install.mjs";
import { deferScripts } from "./scripts-on-use.mjs";

const PAGES = path.join(root, ".next/server/app");
const DATA = path.join(root, ".next/static/data");
const NAME_LENGTH = 16;

mkdirSync(DATA, { recursive: true });
const names = await readdir(PAGES, { recursive: true });
for (const name of names.filter((each) => each.endsWith(".html"))) {
  const file = path.join(PAGES, name);
  const html = await readFile(file, "utf8");
  await writeFile(file, deferScripts(html, storeData));
}

/** By its content, because files of this folder are cached forever. */
function storeData(script) {
  const hash = createHash("sha256").update(script).digest("hex").slice(0, NAME_LENGTH);
  writeFileSync(path.join(DATA, `${hash}.js`), script);
  return `/_next/static/data/${hash}.js`;
}
