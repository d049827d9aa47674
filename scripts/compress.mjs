// The last step of `npm run build`: beside each script and style of the pages its compressed forms, which the
// production server sends as they are.
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { root } from "./install.mjs";

const FOLDER = path.join(root, ".next/static");
const FORMS = { ".br": promisify(brotliCompress), ".gz": promisify(gzip) };
/** Less than a packet is not worth it. */
const LEAST_BYTES = 1024;

const entries = await readdir(FOLDER, { recursive: true, withFileTypes: true });
const files = entries
  .filter((entry) => entry.isFile() && /\.(?:js|css|svg|json|txt)$/.test(entry.name))
  .map(({ parentPath, name }) => path.join(parentPath, name));
for (const file of files) {
  const bytes = await readFile(file);
  if (bytes.length >= LEAST_BYTES) {
    await Promise.all(
      Object.entries(FORMS).map(async ([end, compress]) =>
        writeFile(file + end, await compress(bytes)),
      ),
    );
  }
}
