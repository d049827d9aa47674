import { COMMIT } from "./scripts/commit.mjs";

/** @type {import("next").NextConfig} */
export default {
  env: { FOOTNOTE_COMMIT: COMMIT },
  reactStrictMode: true,
  poweredByHeader: false,
  // `npm test` checks types.
  typescript: { ignoreBuildErrors: true },
  // Writing it takes a clean build longer than reading it would save the next one.
  experimental: { turbopackFileSystemCacheForBuild: false },
  // Only for static files; proxy.ts and `route()` set the others' headers.
  headers: async () =>
    ["/_next/:path*", "/openapi.json", "/icon.svg", "/robots.txt", "/sitemap.xml"].map(
      (source) => ({
        source,
        headers: [{ key: "X-Content-Type-Options", value: "nosniff" }],
      }),
    ),
  // Documentation pages as Markdown.
  rewrites: async () => [{ source: "/docs/:slug.md", destination: "/docs/:slug/markdown" }],
  // Loaded by Node: they read files next to them (WebAssembly, native code) or must exist once per process.
  serverExternalPackages: [
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
    "pino",
    "wink-porter2-stemmer",
    "gpt-tokenizer",
    "@zxcvbn-ts/core",
    "@zxcvbn-ts/language-common",
    "@zxcvbn-ts/language-en",
  ],
};
