import path from "node:path";
import { defineConfig } from "vite";

const root = path.resolve(import.meta.dirname, "..");

/** Bundles the server into Next's build output; run `next build` first. */
export default defineConfig({
  root,
  publicDir: false,
  resolve: {
    alias: { "@": root, "server-only": path.join(root, "node_modules/server-only/empty.js") },
  },
  build: {
    ssr: true,
    outDir: path.join(root, ".next/footnote"),
    emptyOutDir: true,
    target: "node20",
    rollupOptions: {
      input: { main: path.join(root, "server/main.ts") },
      output: { entryFileNames: "[name].mjs", chunkFileNames: "[name].mjs" },
    },
  },
});
