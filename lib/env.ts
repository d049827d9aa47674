import path from "node:path";
import * as z from "zod";

/** What a random secret has at least: 128 bits in hexadecimal. */
const MIN_SECRET_LENGTH = 32;
const MIN_TOKEN_LENGTH = 16;

const flag = z.enum(["true", "false"]).transform((value) => value === "true");
const whole = (least: number) => z.coerce.number().int().min(least);
const optional = z
  .string()
  .transform((value) => value.trim() || undefined)
  .optional();
/** Refuses what someone could guess, and the placeholder of an example file. */
const secret = (least: number) =>
  optional.pipe(
    z
      .string()
      .min(least, `Use at least ${least} random characters, such as from: openssl rand -hex 32`)
      .regex(/^(?!replace )/i, "Replace the placeholder with the output of: openssl rand -hex 32")
      .optional(),
  );

/** Every variable the product reads. A test keeps `.env.example` in sync. */
export const EnvSchema = z.object({
  /** PostgreSQL 15 or later with pgvector 0.7 or later; absent: the embedded database in DATA_DIR. */
  DATABASE_URL: optional,
  DATABASE_POOL_SIZE: whole(1).max(200).default(10),
  /** Statement timeout for requests on a server; background work has none. */
  DATABASE_TIMEOUT_MS: whole(100).default(10_000),
  /** False relies on the application's predicates only, as required behind a transaction pooler. */
  ROW_SECURITY: flag.default(true),
  /** Shares rate limits between processes; without it, each process counts on its own. */
  REDIS_URL: optional,
  /** Folder of the embedded database and generated secrets. */
  DATA_DIR: z.string().default(".data"),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  /** The address to listen on; absent: all of them, or only this machine's own for the demo of `npm start`. */
  HOST: optional,
  /** How many proxies in front append to X-Forwarded-For; 0: the client's address is the connection's. */
  TRUSTED_PROXIES: whole(0).max(10).default(0),
  /** The public address. */
  APP_URL: z.url().default("http://localhost:3000"),
  NEXTAUTH_SECRET: secret(MIN_SECRET_LENGTH),
  NEXTAUTH_URL: optional,
  GITHUB_CLIENT_ID: optional,
  GITHUB_CLIENT_SECRET: optional,
  /** A GitHub Enterprise Server's address; absent: github.com. */
  GITHUB_URL: optional.pipe(z.url({ protocol: /^https?$/ }).optional()),
  GOOGLE_CLIENT_ID: optional,
  GOOGLE_CLIENT_SECRET: optional,
  /** Sends mail, such as smtp://user:password@mail.example.org:587; absent: invitation links are shown once, and no one gets a reset link. */
  SMTP_URL: optional.pipe(z.url({ protocol: /^smtps?$/ }).optional()),
  /** Writes password reset links to the log while SMTP_URL is absent: whoever reads the log can use them. */
  LOG_RESET_LINKS: flag.default(false),
  /** Sender of mail; absent: footnote@ the host of APP_URL. */
  MAIL_FROM: optional,
  OPENAI_BASE_URL: optional,
  OPENAI_API_KEY: optional,
  /** Comma-separated ids, or a JSON array of catalogue entries; the first is the default model. */
  MODELS: optional,
  /** Node's own variable: 1 sends upstream calls through HTTP_PROXY and HTTPS_PROXY, except NO_PROXY. */
  NODE_USE_ENV_PROXY: optional,
  /** The model in MODELS for `citations.verify: "model"`, at its core rates; absent: that option is rejected. */
  VERIFY_MODEL: optional,
  /** Per claim; after it, rules judge. */
  VERIFY_TIMEOUT_MS: whole(100).default(15_000),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "silent"]).default("info"),
  /** Bearer token for GET /api/metrics; absent: the endpoint is disabled. */
  METRICS_TOKEN: secret(MIN_TOKEN_LENGTH),
  /** An OpenTelemetry collector, over HTTP; absent: nothing is sent. The SDK reads the OTEL_ variables itself. */
  OTEL_EXPORTER_OTLP_ENDPOINT: optional.pipe(z.url({ protocol: /^https?$/ }).optional()),
  OTEL_EXPORTER_OTLP_HEADERS: optional,
  OTEL_TRACES_EXPORTER: z.enum(["otlp", "none"]).default("otlp"),
  OTEL_METRICS_EXPORTER: z.enum(["otlp", "none"]).default("otlp"),
  OTEL_METRIC_EXPORT_INTERVAL: whole(100).default(60_000),
  OTEL_TRACES_SAMPLER: optional,
  OTEL_TRACES_SAMPLER_ARG: optional,
  OTEL_SERVICE_NAME: optional,
  OTEL_RESOURCE_ATTRIBUTES: optional,
  /** US dollars a new account starts with; absent: 5 on the embedded database, 0 on a server. */
  SIGNUP_GRANT_USD: z.coerce.number().min(0).max(1000).optional(),
  /** Per address; each costs a password hash and may grant funds. Enough for a classroom behind one address. */
  SIGN_UPS_PER_MINUTE: whole(1).default(20),
  /** How long a hold outlives a dead process; a live one renews it. */
  HOLD_LEASE_SECONDS: whole(3).max(86_400).default(900),
  /** A JSON file of rates in place of those in lib/billing/rates.ts. */
  RATES_FILE: optional,
  /** Retention of usage records; 0: forever. The ledger is never deleted. */
  USAGE_RETENTION_DAYS: whole(0).max(36_500).default(400),
  /** Retention of completions with `store: true`; 0: forever. */
  STORED_ANSWER_RETENTION_DAYS: whole(0).max(36_500).default(400),
  /** Retention of audit events; 0: forever. */
  AUDIT_RETENTION_DAYS: whole(0).max(36_500).default(400),
  /** Absent: search is keyword-only. */
  EMBEDDING_MODEL: optional,
  EMBEDDING_BASE_URL: optional,
  EMBEDDING_API_KEY: optional,
  /** Requested from the model, and checked against its first response. */
  EMBEDDING_DIMENSIONS: whole(1).max(3800).optional(),
  EMBEDDING_BATCH_SIZE: whole(1).max(2048).default(64),
  EMBEDDING_CONCURRENCY: whole(1).max(64).default(4),
  /** The longest input, in tokens. */
  EMBEDDING_MAX_TOKENS: whole(16).default(8191),
  EMBEDDING_TIMEOUT_MS: whole(100).default(30_000),
  /** For models trained with prefixes. */
  EMBEDDING_QUERY_PREFIX: z.string().default(""),
  EMBEDDING_PASSAGE_PREFIX: z.string().default(""),
  RETRIEVAL_DEADLINE_MS: whole(1).default(3000),
  /** Weight of each retriever's rank in fusion. */
  SEARCH_VECTOR_WEIGHT: z.coerce.number().min(0).max(100).default(1),
  SEARCH_LEXICAL_WEIGHT: z.coerce.number().min(0).max(100).default(1),
  REQUESTS_PER_MINUTE: whole(1).default(600),
  TOKENS_PER_MINUTE: whole(1).default(1_000_000),
  MAX_STREAMS_PER_ACCOUNT: whole(1).default(100),
  /** Per process, including open streams. */
  MAX_CONCURRENT_REQUESTS: whole(1).default(2000),
  MAX_UPLOAD_BYTES: whole(1).default(50 * 1024 * 1024),
  MAX_PAGES_PER_DOCUMENT: whole(1).default(2000),
  MAX_CHUNKS_PER_DOCUMENT: whole(1).default(10_000),
  /** Unpacked size of an archive such as a DOCX. */
  MAX_EXPANDED_BYTES: whole(1).default(150 * 1024 * 1024),
  /** Limits for parsing one document, and how many at a time. */
  PARSE_TIMEOUT_MS: whole(100).default(120_000),
  PARSE_MEMORY_MB: whole(64).default(512),
  PARSE_THREADS: whole(1).max(64).default(2),
  CHUNK_TOKENS: whole(50).max(2000).default(400),
  CHUNK_OVERLAP_TOKENS: whole(0).max(1000).default(60),
  /** Document jobs this process runs at a time. */
  JOB_CONCURRENCY: whole(1).max(64).default(2),
  /** A worker silent for this long counts as dead, and its job goes to another. */
  JOB_HEARTBEAT_SECONDS: whole(10).default(30),
  /** A job that takes longer starts over. */
  JOB_DEADLINE_SECONDS: whole(60).max(86_000).default(900),
  /** Whether this process runs document jobs and sweeps expired holds. */
  RUN_JOBS: flag.default(true),
  /** How long after SIGTERM new requests are still accepted while the health check fails. */
  SHUTDOWN_DELAY_SECONDS: whole(0).max(600).default(0),
  /** How long after SIGTERM requests in flight may take, including that delay. */
  SHUTDOWN_GRACE_SECONDS: whole(0).max(3600).default(25),
  /** Stripe's secret or restricted key; absent: payments are simulated or disabled. */
  STRIPE_SECRET_KEY: optional,
  /** Verifies Stripe's events to /api/webhooks/stripe. */
  STRIPE_WEBHOOK_SECRET: optional,
  /** A fake Stripe's address; absent: Stripe itself. */
  STRIPE_API_BASE: optional.pipe(z.url({ protocol: /^https?$/ }).optional()),
  /** `simulated` lets anyone add funds for free. Absent: stripe with its key, else simulated outside production. */
  PAYMENTS: optional.pipe(z.enum(["stripe", "simulated"]).optional()),
});

export type Env = z.infer<typeof EnvSchema>;

/** Validated once: a bad value stops the start and names the variable. */
export const env: Env = readEnv(process.env);

export const isProduction = process.env.NODE_ENV === "production";

/** A DATA_DIR for tests. */
const IN_MEMORY = "memory:";

/** The embedded database's absolute folder, or `memory://`; null with DATABASE_URL. */
export const embeddedDataDir = env.DATABASE_URL ? null : embeddedFolder();

function embeddedFolder(): string {
  return env.DATA_DIR === IN_MEMORY
    ? "memory://"
    : path.resolve(/* turbopackIgnore: true */ env.DATA_DIR, "pg");
}

/** Throws an error that names each invalid variable. */
export function readEnv(variables: Record<string, string | undefined>): Env {
  // Compose passes a variable that nobody set as an empty one.
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
  const { data, error } = EnvSchema.superRefine(checkStripe)
    .superRefine(checkVerifyModel)
    .safeParse(set);
  if (!data) {
    throw new Error(`The environment is invalid.\n${z.prettifyError(error)}`);
  }
  return data;
}

function checkStripe(variables: Env, check: z.RefinementCtx): void {
  const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, PAYMENTS } = variables;
  const reject = (name: string, message: string) =>
    check.addIssue({ code: "custom", path: [name], message });
  if (STRIPE_SECRET_KEY && !STRIPE_WEBHOOK_SECRET) {
    reject(
      "STRIPE_WEBHOOK_SECRET",
      "Set it along with STRIPE_SECRET_KEY: it verifies Stripe's events. Stripe shows it after you set up the webhook /api/webhooks/stripe.",
    );
  }
  if (PAYMENTS === "stripe" && !STRIPE_SECRET_KEY) {
    reject("STRIPE_SECRET_KEY", "PAYMENTS=stripe needs it. Set it, or leave PAYMENTS out.");
  }
}

/** It only quotes, so it can't judge. */
const EMBEDDED_MODEL = "footnote-extract-1";

function checkVerifyModel({ MODELS = "", VERIFY_MODEL }: Env, check: z.RefinementCtx): void {
  const isListed = MODELS.trimStart().startsWith("[")
    ? MODELS.includes(JSON.stringify(VERIFY_MODEL))
    : MODELS.split(",").some((id) => id.trim() === VERIFY_MODEL);
  if (VERIFY_MODEL && (VERIFY_MODEL === EMBEDDED_MODEL || !isListed)) {
    const message =
      VERIFY_MODEL === EMBEDDED_MODEL
        ? "The embedded model cannot judge claims. Name a model in MODELS with an upstream."
        : `MODELS doesn't list '${VERIFY_MODEL}'. Add it, or name a listed model with an upstream.`;
    check.addIssue({ code: "custom", path: ["VERIFY_MODEL"], message });
  }
}
