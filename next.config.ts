import type { NextConfig } from "next";

const config: NextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  // Loaded by Node itself: they read files beside them (WebAssembly, native code) or must be one per process.
  serverExternalPackages: [
    "@electric-sql/pglite",
    "@electric-sql/pglite-pgvector",
    "@node-rs/argon2",
    "pg",
    "pg-boss",
    "piscina",
    "pino",
    "wink-porter2-stemmer",
    "gpt-tokenizer",
  ],
};

export default config;
