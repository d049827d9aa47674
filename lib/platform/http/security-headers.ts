import { env, isProduction, VERSION } from "@/lib/platform/env";

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** By the public address: TLS usually ends at a proxy. */
const isHttps = env.APP_URL.startsWith("https://");

const ALWAYS: Record<string, string> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  ...(isHttps && { "strict-transport-security": `max-age=${YEAR_SECONDS}` }),
};

/** For data: nothing in it runs, loads or can be framed, whatever type a browser takes it for. */
export const DATA_HEADERS: Readonly<Record<string, string>> = {
  ...ALWAYS,
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  // Account data and health information stay in no cache.
  "cache-control": "no-store",
  "x-footnote-version": VERSION,
};

/** For a page; `policy` comes from `pagePolicy`. */
export function pageHeaders(policy: string): Record<string, string> {
  return {
    ...ALWAYS,
    "content-security-policy": policy,
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy":
      "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
  };
}

/**
 * A page's Content-Security-Policy. `scripts`: nonces or hashes of the inline scripts it allows. React, the charts and
 * the virtual lists write style attributes, so inline styles are allowed.
 */
export function pagePolicy(scripts: readonly string[]): string {
  return [
    "default-src 'self'",
    `script-src 'self' ${scripts.join(" ")}${isProduction ? "" : " 'unsafe-eval'"}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "object-src 'none'",
    "frame-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(isHttps ? ["upgrade-insecure-requests"] : []),
  ].join("; ");
}
