import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "./install.mjs";

// `node scripts/prune-image.mjs`: takes out of node_modules what a built product never loads, for the image. After it the
// product starts and serves, and can no longer be built.

/** What builds; what other packages would use for features that the product does not have. */
const UNUSED_PACKAGES = [
  // Prisma's command: the product applies its migrations itself.
  ...["prisma", "@prisma/config", "@prisma/dev", "@prisma/engines", "@prisma/engines-version"],
  ...["@prisma/fetch-engine", "@prisma/get-platform", "@prisma/query-plan-executor"],
  "@prisma/studio-core",
  ...["typescript", "vite", "rolldown", "@rolldown", "tailwindcss", "@tailwindcss", "lightningcss"],
  ...["lightningcss-linux-x64-gnu", "lightningcss-linux-arm64-gnu", "elkjs"],
  // An optional peer of Next's.
  ...["playwright", "playwright-core", "@playwright"],
  // officeparser's reading of pictures.
  ...["tesseract.js", "tesseract.js-core"],
];
/** Maps and types of sources, and Prisma's code for databases other than PostgreSQL. */
const UNUSED_FILES =
  /\.map$|\.d\.[mc]?ts$|^@prisma\/client\/runtime\/.*\.(?:sqlserver|cockroachdb|mysql|sqlite)\./;

/** Whether the image does without a file of node_modules, by its path there. */
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
