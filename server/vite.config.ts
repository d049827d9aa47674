import path from "node:path";
import { defineConfig } from "vite";
import { COMMIT } from "../scripts/commit.mjs";

const root = path.resolve(import.meta.dirname, "..");

const PROGRAMS = {
  main: "server/main.ts",
  threads: "lib/reading/process/threads.ts",
  "embedded-thread": "lib/platform/db/embedded-thread.ts",
  "model-process": "lib/models/local/model-process.ts",
  setup: "scripts/setup.ts",
  worker: "scripts/worker.ts",
  kb: "scripts/kb.ts",
  billing: "scripts/billing.ts",
  doctor: "scripts/doctor.ts",
};

/** Bundles the server and the other programs into Next's build output; run `next build` first. */
export default defineConfig({
  root,
  publicDir: false,
  define: { "process.env.FOOTNOTE_COMMIT": JSON.stringify(COMMIT) },
  resolve: {
    alias: { "@": root, "server-only": path.join(root, "node_modules/server-only/empty.js") },
  },
  build: {
    ssr: true,
    outDir: path.join(root, ".next/footnote"),
    emptyOutDir: true,
    target: "node20",
    rollupOptions: {
      input: Object.fromEntries(
        Object.entries(PROGRAMS).map(([name, file]) => [name, path.join(root, file)]),
      ),
      output: { entryFileNames: "[name].mjs", chunkFileNames: "chunks/[name].mjs" },
    },
  },
});
