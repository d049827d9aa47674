import { missingPrefixes } from "@/lib/models/model-prefixes";
import { costsOperator, type Env } from "@/lib/platform/env";

/** `unsafe` can lose money or data; `advice` is fine for a trial, not for production. */
export interface Finding {
  level: "unsafe" | "advice";
  /** The setting it is about, or `database`. */
  about: string;
  message: string;
}

interface Rule extends Omit<Finding, "level"> {
  applies: (env: Env) => boolean;
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
const isLocal = ({ APP_URL }: Env) => LOOPBACK.test(new URL(APP_URL).hostname);
const takesSimulatedPayments = ({ PAYMENTS }: Env) => PAYMENTS === "simulated";

const UNSAFE: readonly Rule[] = [
  {
    about: "APP_URL",
    message: "Use https: over http, sign-in cookies and API keys are sent unencrypted.",
    applies: (env) => !isLocal(env) && !env.APP_URL.startsWith("https:"),
  },
  {
    about: "NEXTAUTH_SECRET",
    message:
      "Set it, the same for every process: without it nobody can sign in. Use: openssl rand -hex 32",
    applies: ({ DATABASE_URL, NEXTAUTH_SECRET }) => Boolean(DATABASE_URL && !NEXTAUTH_SECRET),
  },
  {
    about: "NEXTAUTH_URL",
    message: "Set it to the same address as APP_URL, or sign-in redirects somewhere else.",
    applies: ({ APP_URL, NEXTAUTH_URL }) =>
      Boolean(NEXTAUTH_URL && new URL(NEXTAUTH_URL).origin !== new URL(APP_URL).origin),
  },
  {
    about: "TRUSTED_PROXIES",
    message:
      "https means that there is a proxy in front. Set the number of proxies that append to X-Forwarded-For: with 0, all clients share one address and its limits.",
    applies: ({ APP_URL, TRUSTED_PROXIES }) => APP_URL.startsWith("https:") && !TRUSTED_PROXIES,
  },
  {
    about: "PAYMENTS",
    message:
      "Simulated payments let anyone add funds for free. Remove it, or set STRIPE_SECRET_KEY.",
    applies: (env) => takesSimulatedPayments(env) && (!isLocal(env) || costsOperator(env)),
  },
  {
    about: "STRIPE_SECRET_KEY",
    message:
      "It is a test key: payments move no real money, but they add funds that pay for real upstreams.",
    applies: ({ STRIPE_SECRET_KEY, ...env }) =>
      /^(sk|rk)_test_/.test(STRIPE_SECRET_KEY ?? "") && !isLocal(env) && costsOperator(env),
  },
  {
    about: "STRIPE_API_BASE",
    message: "It points at a fake Stripe, which can credit any account. Remove it.",
    applies: ({ STRIPE_API_BASE }) => Boolean(STRIPE_API_BASE),
  },
  {
    about: "SIGN_UP",
    message:
      "Anyone can sign up with any email, because SMTP_URL is not set to confirm it. Use invite or closed.",
    applies: (env) => env.SIGN_UP === "open" && !env.SMTP_URL && !isLocal(env),
  },
  {
    about: "LOG_RESET_LINKS",
    message:
      "Anyone who can read the log can take over any member's account. Set SMTP_URL instead.",
    applies: (env) => env.LOG_RESET_LINKS && !isLocal(env),
  },
  {
    about: "DATABASE_URL",
    message: "It has the example's password. Choose another.",
    applies: ({ DATABASE_URL }) => /\/\/footnote:(footnote|secret)@/.test(DATABASE_URL ?? ""),
  },
];

const ADVICE: readonly Rule[] = [
  {
    about: "DATABASE_URL",
    message: "The embedded database serves one process. Use PostgreSQL, and back it up.",
    applies: ({ DATABASE_URL }) => !DATABASE_URL,
  },
  {
    about: "ROW_SECURITY",
    message: "Off: only the application's own conditions keep accounts apart.",
    applies: ({ ROW_SECURITY }) => !ROW_SECURITY,
  },
  {
    about: "REDIS_URL",
    message: "With several processes, each counts rate limits on its own. Set it to share them.",
    applies: ({ DATABASE_URL, REDIS_URL }) => Boolean(DATABASE_URL && !REDIS_URL),
  },
  {
    about: "SMTP_URL",
    message:
      "No email: members can't reset a password, and owners aren't notified of a low balance.",
    applies: ({ SMTP_URL }) => !SMTP_URL,
  },
  {
    about: "MODELS",
    message: "Only the built-in model answers, by quoting sentences. Add a model with an upstream.",
    applies: ({ MODELS }) => !MODELS,
  },
  {
    about: "EMBEDDING_MODEL",
    message: "Search is lexical only. Set an embedding model to find synonyms as well.",
    applies: ({ EMBEDDING_MODEL }) => !EMBEDDING_MODEL,
  },
  {
    about: "SIGNUP_GRANT_USD",
    message: "New accounts don't get it, because you would pay your upstreams for it. Remove it.",
    applies: (env) => costsOperator(env) && (env.SIGNUP_GRANT_USD ?? 0) > 0,
  },
  {
    about: "METRICS_TOKEN",
    message: "No metrics: overload, shortfalls and open circuits show in the log only.",
    applies: ({ METRICS_TOKEN, OTEL_EXPORTER_OTLP_ENDPOINT }) =>
      !METRICS_TOKEN && !OTEL_EXPORTER_OTLP_ENDPOINT,
  },
];

/** What is unsafe or missing in the settings of a deployment. */
export function checkSettings(env: Env): Finding[] {
  const prefixes = missingPrefixes(env);
  const find = (level: Finding["level"], rules: readonly Rule[]) =>
    rules
      .filter(({ applies }) => applies(env))
      .map(({ about, message }) => ({ level, about, message }));
  return [
    ...find("unsafe", UNSAFE),
    ...find("advice", ADVICE),
    ...(prefixes
      ? [{ level: "advice" as const, about: "EMBEDDING_QUERY_PREFIX", message: prefixes }]
      : []),
  ];
}
