import { env, isProduction } from "@/lib/env";

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The public address decides: a proxy in front of this server ends https. */
const isHttps = env.APP_URL.startsWith("https://");

const ALWAYS: Record<string, string> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  ...(isHttps && { "strict-transport-security": `max-age=${YEAR_SECONDS}` }),
};

/**
 * Of an answer that is data. Whatever a browser takes it for, nothing in it runs or loads, and no page frames it;
 * a file among them is one to save.
 */
export const DATA_HEADERS: Readonly<Record<string, string>> = {
  ...ALWAYS,
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
};

/** Of a page; `policy`: see `pagePolicy`. */
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
 * What a page may do. Scripts: our own files, and of those within the page the ones that `scripts` names by nonce or
 * hash. Styles stand in attributes that React, the charts and the long lists write, so those may be anywhere.
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
