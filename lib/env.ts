import path from "node:path";
import * as z from "zod";

const flag = z.enum(["true", "false"]).transform((value) => value === "true");
const whole = (least: number) => z.coerce.number().int().min(least);
const optional = z
  .string()
  .transform((value) => value.trim() || undefined)
  .optional();

/** Every variable the product reads. `.env.example` lists the same ones, by test. */
export const EnvSchema = z.object({
  /** PostgreSQL 15 or later with pgvector 0.7 or later; absent: the embedded database in DATA_DIR. */
  DATABASE_URL: optional,
  DATABASE_POOL_SIZE: whole(1).max(200).default(10),
  /** How long a statement of a request may take on a server; background work takes its time. */
  DATABASE_TIMEOUT_MS: whole(100).default(10_000),
  /** False leaves accounts apart by the application's predicates alone, as behind a pooler of transactions. */
  ROW_SECURITY: flag.default(true),
  /** Shares rate limits between processes; without it each process counts for itself. */
  REDIS_URL: optional,
  /** Where the embedded database and generated secrets live. */
  DATA_DIR: z.string().default(".data"),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  /** The address people and programs reach the product at. */
  APP_URL: z.url().default("http://localhost:3000"),
  NEXTAUTH_SECRET: optional,
  NEXTAUTH_URL: optional,
  GITHUB_CLIENT_ID: optional,
  GITHUB_CLIENT_SECRET: optional,
  /** A GitHub Enterprise Server's address; absent: github.com. */
  GITHUB_URL: optional.pipe(z.url({ protocol: /^https?$/ }).optional()),
  GOOGLE_CLIENT_ID: optional,
  GOOGLE_CLIENT_SECRET: optional,
  /** Sends mail, such as smtp://user:password@mail.example.org:587; absent: links go to the log or are shown once. */
  SMTP_URL: optional.pipe(z.url({ protocol: /^smtps?$/ }).optional()),
  /** Who mail comes from; absent: footnote@ the host of APP_URL. */
  MAIL_FROM: optional,
  OPENAI_BASE_URL: optional,
  OPENAI_API_KEY: optional,
  /** Ids separated by commas, or a JSON array of catalogue entries; the first is the default model. */
  MODELS: optional,
  /** Node's own: 1 sends what goes to upstreams through HTTP_PROXY and HTTPS_PROXY, but for NO_PROXY. */
  NODE_USE_ENV_PROXY: optional,
  /** The model of MODELS that `citations.verify: "model"` asks, at its core rates; absent: the choice is refused. */
  VERIFY_MODEL: optional,
  /** How long it may take over one claim before rules judge. */
  VERIFY_TIMEOUT_MS: whole(100).default(15_000),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "silent"]).default("info"),
  /** Opens GET /api/metrics to who sends it as a bearer token; absent: there is no such path. */
  METRICS_TOKEN: optional,
  /** An OpenTelemetry collector, by HTTP; absent: nothing is sent. The SDK itself reads all that begins with OTEL_. */
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
  /** Of one address; each costs a password hash and may give a grant. A classroom behind one address still gets in. */
  SIGN_UPS_PER_MINUTE: whole(1).default(20),
  /** How long money stays reserved for a request whose process died; a living one renews it. */
  HOLD_LEASE_SECONDS: whole(3).max(86_400).default(900),
  /** A JSON file of rates in place of those in lib/billing/rates.ts. */
  RATES_FILE: optional,
  /** How long usage records are kept; 0: for ever. The ledger is never swept. */
  USAGE_RETENTION_DAYS: whole(0).max(36_500).default(400),
  /** How long answers of `store: true` are kept; 0: for ever. */
  STORED_ANSWER_RETENTION_DAYS: whole(0).max(36_500).default(400),
  /** How long the activity of accounts is kept; 0: for ever. */
  AUDIT_RETENTION_DAYS: whole(0).max(36_500).default(400),
  /** The embedding model of the vector leg; absent: search is by words alone. */
  EMBEDDING_MODEL: optional,
  EMBEDDING_BASE_URL: optional,
  EMBEDDING_API_KEY: optional,
  /** Asked of the model, and checked against its first answer. */
  EMBEDDING_DIMENSIONS: z.preprocess((value) => value || undefined, whole(1).max(3800).optional()),
  EMBEDDING_BATCH_SIZE: whole(1).max(2048).default(64),
  EMBEDDING_CONCURRENCY: whole(1).max(64).default(4),
  /** The longest text the model takes, in tokens. */
  EMBEDDING_MAX_TOKENS: whole(16).default(8191),
  EMBEDDING_TIMEOUT_MS: whole(100).default(30_000),
  /** Put before each text, for models that were trained so. */
  EMBEDDING_QUERY_PREFIX: z.string().default(""),
  EMBEDDING_PASSAGE_PREFIX: z.string().default(""),
  RETRIEVAL_DEADLINE_MS: whole(1).default(3000),
  /** What each leg's rank counts when both are fused. */
  SEARCH_VECTOR_WEIGHT: z.coerce.number().min(0).max(100).default(1),
  SEARCH_LEXICAL_WEIGHT: z.coerce.number().min(0).max(100).default(1),
  REQUESTS_PER_MINUTE: whole(1).default(600),
  TOKENS_PER_MINUTE: whole(1).default(1_000_000),
  MAX_STREAMS_PER_ACCOUNT: whole(1).default(100),
  /** Requests this process has at work at a time, open streams among them. */
  MAX_CONCURRENT_REQUESTS: whole(1).default(2000),
  MAX_UPLOAD_BYTES: whole(1).default(50 * 1024 * 1024),
  MAX_PAGES_PER_DOCUMENT: whole(1).default(2000),
  MAX_CHUNKS_PER_DOCUMENT: whole(1).default(10_000),
  /** What an archive such as a DOCX may hold when it is unpacked. */
  MAX_EXPANDED_BYTES: whole(1).default(150 * 1024 * 1024),
  /** How long one document may be read, with how much memory, and how many at a time. */
  PARSE_TIMEOUT_MS: whole(100).default(120_000),
  PARSE_MEMORY_MB: whole(64).default(512),
  PARSE_THREADS: whole(1).max(64).default(2),
  CHUNK_TOKENS: whole(50).max(2000).default(400),
  /** How much of the end of a chunk the next one repeats. */
  CHUNK_OVERLAP_TOKENS: whole(0).max(1000).default(60),
  /** How many document jobs this process works on at a time. */
  JOB_CONCURRENCY: whole(1).max(64).default(2),
  /** A worker that says nothing for this long is taken for dead, and its job goes to another. */
  JOB_HEARTBEAT_SECONDS: whole(10).default(30),
  /** A job that takes longer is tried again from its start. */
  JOB_DEADLINE_SECONDS: whole(60).max(86_000).default(900),
  /** Whether this process runs document jobs and sweeps expired holds. */
  RUN_JOBS: flag.default(true),
  /** How long after SIGTERM new requests are still taken, while the health check says that they should go elsewhere. */
  SHUTDOWN_DELAY_SECONDS: whole(0).max(600).default(0),
  /** How long after SIGTERM, that delay included, what has been begun may take to end. */
  SHUTDOWN_GRACE_SECONDS: whole(0).max(3600).default(25),
  /** Stripe's secret or restricted key; absent: payments are simulated, or not taken at all. */
  STRIPE_SECRET_KEY: optional,
  /** Signs Stripe's events to /api/webhooks/stripe. */
  STRIPE_WEBHOOK_SECRET: optional,
  /** Where a server that stands in for Stripe listens; absent: Stripe itself. */
  STRIPE_API_BASE: optional.pipe(z.url({ protocol: /^https?$/ }).optional()),
  /** `simulated` takes no money: anyone may give themselves funds. Absent: stripe with its key, else simulated outside production. */
  PAYMENTS: optional.pipe(z.enum(["stripe", "simulated"]).optional()),
});

export type Env = z.infer<typeof EnvSchema>;

/** What the process was started with, checked once. A bad value stops the start and names the variable. */
export const env: Env = readEnv(process.env);

/** Whether this is the built product, and not `npm run dev` or a test. */
export const isProduction = process.env.NODE_ENV === "production";

/** In place of DATA_DIR: an embedded database in memory, for tests. */
const IN_MEMORY = "memory:";

/** The absolute folder of the embedded database, or `memory://`; null when DATABASE_URL names a server. */
export const embeddedDataDir = env.DATABASE_URL ? null : embeddedFolder();

function embeddedFolder(): string {
  return env.DATA_DIR === IN_MEMORY
    ? "memory://"
    : path.resolve(/* turbopackIgnore: true */ env.DATA_DIR, "pg");
}

/** Throws a sentence that names each variable that is wrong or missing beside another. */
export function readEnv(variables: Record<string, string | undefined>): Env {
  const { data, error } = EnvSchema.superRefine(refuseHalfStripe)
    .superRefine(refuseBlindVerifier)
    .safeParse(variables);
  if (!data) {
    throw new Error(`The environment is not right.\n${z.prettifyError(error)}`);
  }
  return data;
}

function refuseHalfStripe(variables: Env, check: z.RefinementCtx): void {
  const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, PAYMENTS } = variables;
  const refuse = (name: string, message: string) =>
    check.addIssue({ code: "custom", path: [name], message });
  if (STRIPE_SECRET_KEY && !STRIPE_WEBHOOK_SECRET) {
    refuse(
      "STRIPE_WEBHOOK_SECRET",
      "Set it beside STRIPE_SECRET_KEY: without it nothing that Stripe tells of can be believed. Stripe shows it where the webhook /api/webhooks/stripe is set up.",
    );
  }
  if (PAYMENTS === "stripe" && !STRIPE_SECRET_KEY) {
    refuse("STRIPE_SECRET_KEY", "PAYMENTS=stripe needs it. Set it, or leave PAYMENTS out.");
  }
}

/** It quotes, and cannot judge. */
const EMBEDDED_MODEL = "footnote-extract-1";

function refuseBlindVerifier({ MODELS = "", VERIFY_MODEL }: Env, check: z.RefinementCtx): void {
  const isListed = MODELS.trimStart().startsWith("[")
    ? MODELS.includes(JSON.stringify(VERIFY_MODEL))
    : MODELS.split(",").some((id) => id.trim() === VERIFY_MODEL);
  if (VERIFY_MODEL && (VERIFY_MODEL === EMBEDDED_MODEL || !isListed)) {
    const message =
      VERIFY_MODEL === EMBEDDED_MODEL
        ? "The embedded model cannot judge. Name a model of MODELS with an upstream."
        : `MODELS does not have '${VERIFY_MODEL}'. Add it there, or name one of its models with an upstream.`;
    check.addIssue({ code: "custom", path: ["VERIFY_MODEL"], message });
  }
}
