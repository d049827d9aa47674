// The last step of `npm run build`: precompresses the pages' assets for the production server.
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { root } from "./install.mjs";

const FOLDER = path.join(root, ".next/static");
const FORMS = { ".br": promisify(brotliCompress), ".gz": promisify(gzip) };
/** Smaller files fit in one packet anyway. */
const MIN_BYTES = 1024;

const entries = await readdir(FOLDER, { recursive: true, withFileTypes: true });
const files = entries
  .filter((entry) => entry.isFile() && /\.(?:js|css|svg|json|txt)$/.test(entry.name))
  .map(({ parentPath, name }) => path.join(parentPath, name));
for (const file of files) {
  const bytes = await readFile(file);
  if (bytes.length >= MIN_BYTES) {
    await Promise.all(
      Object.entries(FORMS).map(async ([end, compress]) =>
        writeFile(file + end, await compress(bytes)),
      ),
    );
  }
}
