import type { NextConfig } from "next";

const config: NextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  // Of files that no code of ours answers with; the others have theirs from proxy.ts and `route()`.
  headers: async () =>
    ["/_next/:path*", "/openapi.json", "/icon.svg", "/robots.txt", "/sitemap.xml"].map(
      (source) => ({
        source,
        headers: [{ key: "X-Content-Type-Options", value: "nosniff" }],
      }),
    ),
  // Each page of the documentation as it is written, for programs that read.
  rewrites: async () => [{ source: "/docs/:slug.md", destination: "/docs/:slug/markdown" }],
  // Loaded by Node itself: they read files beside them (WebAssembly, native code) or must be one per process.
  serverExternalPackages: [
    "@electric-sql/pglite",
    "@electric-sql/pglite-pgvector",
    "@node-rs/argon2",
    "@opentelemetry/api",
    "@opentelemetry/core",
    "@opentelemetry/exporter-metrics-otlp-http",
    "@opentelemetry/exporter-prometheus",
    "@opentelemetry/exporter-trace-otlp-http",
    "@opentelemetry/resources",
    "@opentelemetry/sdk-metrics",
    "@opentelemetry/sdk-trace-node",
    "pg",
    "pg-boss",
    "piscina",
    "pino",
    "wink-porter2-stemmer",
    "gpt-tokenizer",
    "@zxcvbn-ts/core",
    "@zxcvbn-ts/language-common",
    "@zxcvbn-ts/language-en",
  ],
};

export default config;
