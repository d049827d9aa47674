import {
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { nodeFileTrace } from "@vercel/nft";
import { root } from "./install.mjs";

// `node scripts/image.mjs FOLDER`: copies what the built product reads at run time to a folder, for the container image and
// the npm package: the build, the files of packages that its programs can load, and data. Run `npm run build` first.

/** Of the build: not what only the compiler, or a reader of traces, needs. */
const BUILD_ONLY =
  /^\.next\/(?:cache|build|diagnostics|node_modules|turbopack|types|trace|trace-build)(?:\/|$)|\.map$|\.nft\.json$/;
const DATA = [
  "LICENSE",
  "package.json",
  "public",
  "prisma/knowledge",
  "prisma/migrations",
  // What `server` runs first.
  "scripts/{start,install,local-demo,local-models,server-process}.mjs",
  // Pages of the documentation.
  "docs/**/*.md",
  "e2e/{bench,red-team}/README.md",
];
/** Found at run time by a name that tracing doesn't see. */
const PACKAGE_DATA = [
  "node_modules/@hyzyla/pdfium/dist/*.wasm",
  "node_modules/@tesseract.js-data/*/{package.json,4.0.0_best_int/*}",
  "node_modules/gpt-tokenizer/data/o200k_base.tiktoken",
  "node_modules/pdfjs-dist/cmaps/*",
  // The build that every Node of the image's version runs.
  "node_modules/tesseract.js-core/{package.json,tesseract-core-relaxedsimd-lstm.{js,wasm}}",
];
/** Next's compilers and its development server: it names them, but a production server never loads them. */
const NOT_LOADED = [
  "node_modules/next/dist/build/{index,swc/index,webpack-build/impl,turbopack-build/impl}.js",
  "node_modules/next/dist/{build/{babel,webpack},server/dev,lib/upgrade}/**",
  "node_modules/next/dist/compiled/{webpack,babel,babel-packages,@babel,terser,jest-worker}/**",
  "node_modules/{@next/swc*,typescript}/**",
  // The programs import these as modules, and Next has its own copies.
  "node_modules/{@modelcontextprotocol,jschardet,zod}/**/*.cjs",
  "node_modules/{stripe/cjs,pdfjs-dist/build}/**",
  "**/*.dev.js",
];
/**
 * Types and documentation; PostgreSQL extensions that nothing uses; React's server for development; what a build needs for
 * fonts of Google's.
 */
const NOT_RUN =
  /\.(?:map|[cm]?tsx?|md)$|\/pglite\/dist\/[^/]+\.tar\.gz$|\/react-dom-server[^/]*\.development\.js$|\/next\/dist\/server\/(?:font-utils\.js|capsize-font-metrics\.json)$/;

process.chdir(root);
const { positionals } = parseArgs({ allowPositionals: true });
const target = path.resolve(positionals[0] ?? "image");
const packageFiles = new Set([
  ...(await tracePrograms()),
  ...tracedByNext(),
  ...globSync(PACKAGE_DATA),
]);
for (const file of packageFiles) {
  if (file.startsWith("node_modules/") && !NOT_RUN.test(file)) {
    copy(file);
  }
}
globSync([...packagesOf(packageFiles)].map((name) => `${name}/{LICENSE,LICENCE,NOTICE}*`)).forEach(
  copy,
);
globSync(DATA).forEach(copy);
cpSync(".next", path.join(target, ".next"), {
  recursive: true,
  filter: (file) => !BUILD_ONLY.test(file),
});
nameRealPackages();

/** The build refers to packages through links such as .next/node_modules/pg-587764f78a6c7a9c, which an npm package can't contain. */
function nameRealPackages() {
  const links = globSync(".next/node_modules/{[!@]*,@*/*}").map((link) => {
    const alias = path.relative(".next/node_modules", link).replaceAll("\\", "/");
    if (realpathSync(link) !== path.join(root, "node_modules", alias.slice(0, -17))) {
      throw new Error(`${link} is not a link to a package in node_modules.`);
    }
    return alias;
  });
  for (const file of globSync(".next/server/**/*.js", { cwd: target })) {
    const code = readFileSync(path.join(target, file), "utf8");
    const named = links.reduce((text, link) => text.replaceAll(link, link.slice(0, -17)), code);
    if (named !== code) {
      writeFileSync(path.join(target, file), named);
    }
  }
}

async function tracePrograms() {
  const programs = globSync(".next/footnote/*.mjs");
  const { fileList } = await nodeFileTrace(programs, { base: root, ignore: NOT_LOADED });
  return fileList;
}

/** What `next build` found that its pages, routes and server load. */
function tracedByNext() {
  return globSync(".next/**/*.nft.json").flatMap((trace) =>
    JSON.parse(readFileSync(trace, "utf8"))
      .files.map((file) => path.join(path.dirname(trace), file))
      .filter((file) => statSync(file).isFile()),
  );
}

function packagesOf(files) {
  return new Set(
    [...files].flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []),
  );
}

function copy(file) {
  const copied = path.join(target, file);
  mkdirSync(path.dirname(copied), { recursive: true });
  cpSync(file, copied, { recursive: true });
}
