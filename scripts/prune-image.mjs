import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "./install.mjs";

// `node scripts/prune-image.mjs`: removes from node_modules what the built product never loads, for the image. Afterwards the
// product still runs, but can't be built.

/** Build tools, and optional dependencies of features we don't use. */
const UNUSED_PACKAGES = [
  // Prisma's CLI: the product applies its migrations itself.
  ...["prisma", "@prisma/config", "@prisma/dev", "@prisma/engines", "@prisma/engines-version"],
  ...["@prisma/fetch-engine", "@prisma/get-platform", "@prisma/query-plan-executor"],
  "@prisma/studio-core",
  ...["typescript", "vite", "rolldown", "@rolldown", "tailwindcss", "@tailwindcss", "lightningcss"],
  ...["lightningcss-linux-x64-gnu", "lightningcss-linux-arm64-gnu", "elkjs"],
  // An optional peer dependency of Next.
  ...["playwright", "playwright-core", "@playwright"],
  // officeparser's OCR. Ours uses the core alone.
  "tesseract.js",
];
/** Models of languages for Tesseract's older engine, and builds of it that aren't used; source maps, types, and Prisma's code for other databases. */
const UNUSED_FILES =
  /^@tesseract\.js-data\/\w+\/4\.0\.0\/|^tesseract\.js-core\/tesseract-core(?!-(?:relaxed)?simd-lstm\.(?:js|wasm)$)|\.map$|\.d\.[mc]?ts$|^@prisma\/client\/runtime\/.*\.(?:sqlserver|cockroachdb|mysql|sqlite)\./;

/** `file`: a path relative to node_modules. */
export function isUnused(file) {
  const unix = file.split(path.sep).join("/");
  return (
    UNUSED_FILES.test(unix) ||
    UNUSED_PACKAGES.some((name) => unix === name || unix.startsWith(`${name}/`))
  );
}

function pruneFolder(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isDirectory() && isUnused(path.relative(folder, file))) {
      rmSync(file);
    }
  }
  for (const name of UNUSED_PACKAGES) {
    rmSync(path.join(folder, name), { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  pruneFolder(path.join(root, "node_modules"));
}
