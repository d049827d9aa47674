import path from "node:path";
import * as z from "zod";
import { version } from "@/package.json";

/** It only quotes, so it can't judge. */
export const EMBEDDED_MODEL = "footnote-extract-1";

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

/** Without a scheme, `localhost:11434/v1` is a URL as well, of the scheme `localhost:`. */
export const httpUrl = z.url({
  protocol: /^https?$/,
  error: "Write the whole address, such as http://localhost:11434/v1.",
});

/** Every variable the product reads. `.env.example` says what each one means; a test keeps the two in sync. */
export const EnvSchema = z.object({
  DATABASE_URL: optional,
  DATABASE_DIRECT_URL: optional,
  DATABASE_REPLICA_URL: optional,
  DATABASE_POOL_SIZE: whole(1).max(200).default(10),
  DATABASE_TIMEOUT_MS: whole(100).default(10_000),
  ROW_SECURITY: flag.default(true),
  REDIS_URL: optional,
  DATA_DIR: z.string().default(".data"),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: optional,
  TRUSTED_PROXIES: whole(0).max(10).default(0),
  APP_URL: z.url().default("http://localhost:3000"),
  NEXTAUTH_SECRET: secret(MIN_SECRET_LENGTH),
  NEXTAUTH_URL: optional,
  GITHUB_CLIENT_ID: optional,
  GITHUB_CLIENT_SECRET: optional,
  GITHUB_URL: optional.pipe(z.url({ protocol: /^https?$/ }).optional()),
  GOOGLE_CLIENT_ID: optional,
  GOOGLE_CLIENT_SECRET: optional,
  SMTP_URL: optional.pipe(z.url({ protocol: /^smtps?$/ }).optional()),
  LOG_RESET_LINKS: flag.default(false),
  MAIL_FROM: optional,
  OPENAI_BASE_URL: optional.pipe(httpUrl.optional()),
  OPENAI_API_KEY: optional,
  MODELS: optional,
  NODE_USE_ENV_PROXY: optional,
  VERIFY_MODEL: optional,
  VERIFY_TIMEOUT_MS: whole(100).default(15_000),
  VERIFY_URL: optional.pipe(z.url({ protocol: /^https?$/ }).optional()),
  VERIFY_API_KEY: optional,
  /** `label=verdict`, separated by commas: what the labels of VERIFY_URL's server mean. */
  VERIFY_LABELS: z
    .string()
    .regex(
      /^(?:[^=,]+=(?:supported|partial|unsupported|contradicted)(?:,|$))+$/,
      "List label=verdict, separated by commas, with supported, partial, unsupported or contradicted as the verdict",
    )
    .default(
      "entailment=supported,neutral=unsupported,contradiction=contradicted,consistent=supported,hallucinated=unsupported",
    ),
  REWRITE_MODEL: optional,
  REWRITE_TIMEOUT_MS: whole(100).default(800),
  /** `scope=pack`, separated by commas: whose documents a pack of knowledge/ is about. */
  KNOWLEDGE_PACKS: z
    .string()
    .regex(
      /^((public|customer|personal)_kb=medical(,|$))*$/,
      "List scope=pack, separated by commas, such as public_kb=medical,customer_kb=medical",
    )
    .default("public_kb=medical"),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "silent"]).default("info"),
  METRICS_TOKEN: secret(MIN_TOKEN_LENGTH),
  /** The SDK reads the OTEL_ variables itself. */
  OTEL_EXPORTER_OTLP_ENDPOINT: optional.pipe(z.url({ protocol: /^https?$/ }).optional()),
  OTEL_EXPORTER_OTLP_HEADERS: optional,
  OTEL_TRACES_EXPORTER: z.enum(["otlp", "none"]).default("otlp"),
  OTEL_METRICS_EXPORTER: z.enum(["otlp", "none"]).default("otlp"),
  OTEL_METRIC_EXPORT_INTERVAL: whole(100).default(60_000),
  OTEL_TRACES_SAMPLER: optional,
  OTEL_TRACES_SAMPLER_ARG: optional,
  OTEL_SERVICE_NAME: optional,
  OTEL_RESOURCE_ATTRIBUTES: optional,
  SIGNUP_GRANT_USD: z.coerce.number().min(0).max(1000).optional(),
  PLAYGROUND_BUDGET_USD: z.coerce.number().min(0.01).max(1_000_000).default(10),
  SIGN_UP: z.enum(["open", "invite", "closed"]).default("open"),
  SIGN_UPS_PER_MINUTE: whole(1).default(20),
  DEMO_QUESTIONS_PER_DAY: whole(0).max(1_000_000).default(1000),
  HOLD_LEASE_SECONDS: whole(3).max(86_400).default(900),
  RATES_FILE: optional,
  USAGE_RETENTION_DAYS: whole(0).max(36_500).default(400),
  STORED_ANSWER_RETENTION_DAYS: whole(0).max(36_500).default(400),
  MAX_STORED_ANSWER_BYTES: whole(1024).default(1024 * 1024),
  MAX_STORED_BYTES_PER_ACCOUNT: whole(1024).default(1024 * 1024 * 1024),
  AUDIT_RETENTION_DAYS: whole(0).max(36_500).default(400),
  EMBEDDING_MODEL: optional,
  EMBEDDING_BASE_URL: optional.pipe(httpUrl.optional()),
  EMBEDDING_API_KEY: optional,
  EMBEDDING_DIMENSIONS: whole(1).max(3800).optional(),
  EMBEDDING_BATCH_SIZE: whole(1).max(2048).default(64),
  EMBEDDING_CONCURRENCY: whole(1).max(64).default(4),
  EMBEDDING_MAX_TOKENS: whole(16).default(8191),
  EMBEDDING_TIMEOUT_MS: whole(100).default(30_000),
  EMBEDDING_QUERY_PREFIX: z.string().default(""),
  EMBEDDING_PASSAGE_PREFIX: z.string().default(""),
  VECTOR_INDEX_FROM: whole(1).default(5000),
  VECTOR_INDEX_MEMORY_MB: whole(64).max(1_000_000).default(512),
  RERANK_URL: optional.pipe(z.url({ protocol: /^https?$/ }).optional()),
  RERANK_API_KEY: optional,
  RERANK_MODEL: optional,
  RERANK_TIMEOUT_MS: whole(1).default(600),
  RETRIEVAL_DEADLINE_MS: whole(1).default(3000),
  REQUESTS_PER_MINUTE: whole(1).default(600),
  TOKENS_PER_MINUTE: whole(1).default(1_000_000),
  ACCOUNT_REQUESTS_PER_MINUTE: whole(1).optional(),
  ACCOUNT_TOKENS_PER_MINUTE: whole(1).optional(),
  UPLOADS_PER_MINUTE: whole(1).default(600),
  CONSOLE_REQUESTS_PER_MINUTE: whole(1).default(600),
  MAX_STREAMS_PER_ACCOUNT: whole(1).default(100),
  MAX_LONG_POLLS_PER_ACCOUNT: whole(1).default(100),
  MAX_KEYS_PER_ACCOUNT: whole(1).default(100),
  MAX_CONCURRENT_REQUESTS: whole(1).default(2000),
  MAX_CONCURRENT_REQUESTS_PER_ACCOUNT: whole(1).optional(),
  MAX_CONNECTIONS: whole(1).optional(),
  MAX_CONNECTIONS_PER_ADDRESS: whole(1).optional(),
  SEND_TIMEOUT_SECONDS: whole(1).default(60),
  MAX_UPLOAD_BYTES: whole(1).default(50 * 1024 * 1024),
  KEEP_ORIGINALS: flag.default(true),
  MAX_ORIGINAL_BYTES_PER_ACCOUNT: whole(1024).default(10 * 1024 * 1024 * 1024),
  MAX_CONCURRENT_UPLOADS: whole(1).default(32),
  MAX_CONCURRENT_UPLOAD_BYTES: whole(1).default(256 * 1024 * 1024),
  MAX_OPEN_UPLOADS_PER_ACCOUNT: whole(1).default(100),
  MAX_OPEN_UPLOAD_BYTES_PER_ACCOUNT: whole(1024).default(1024 * 1024 * 1024),
  MAX_PAGES_PER_DOCUMENT: whole(1).default(2000),
  MAX_CHUNKS_PER_DOCUMENT: whole(1).default(10_000),
  MAX_EXPANDED_BYTES: whole(1).default(150 * 1024 * 1024),
  PARSE_TIMEOUT_MS: whole(100).default(120_000),
  PARSE_MEMORY_MB: whole(64).default(320),
  PARSE_THREADS: whole(1).max(64).default(2),
  MAX_OCR_PAGES_PER_DOCUMENT: whole(0).default(100),
  OCR_LANGUAGES: z
    .string()
    .regex(/^[a-z_+]+(?:,[a-z_+]+)*$/i, "Separate Tesseract's codes with commas, as in eng,deu")
    .default("eng,deu,fra,spa,ita,por,nld"),
  OCR_LANG_PATH: optional,
  OCR_MODEL: optional,
  OCR_PAGE_TIMEOUT_MS: whole(1000).default(60_000),
  OCR_THREADS: whole(1).max(64).default(1),
  CHUNK_TOKENS: whole(50).max(2000).default(400),
  CHUNK_OVERLAP_TOKENS: whole(0).max(1000).default(60),
  MAX_OPEN_JOBS_PER_ACCOUNT: whole(1).default(1000),
  JOB_CONCURRENCY: whole(1).max(64).default(2),
  JOB_HEARTBEAT_SECONDS: whole(10).default(30),
  JOB_DEADLINE_SECONDS: whole(60).max(86_000).default(900),
  RUN_JOBS: flag.default(true),
  SHUTDOWN_DELAY_SECONDS: whole(0).max(600).default(0),
  SHUTDOWN_GRACE_SECONDS: whole(0).max(3600).default(25),
  STRIPE_SECRET_KEY: optional,
  STRIPE_WEBHOOK_SECRET: optional,
  STRIPE_INVOICES: flag.default(true),
  STRIPE_AUTOMATIC_TAX: flag.default(false),
  STRIPE_TAX_IDS: flag.default(false),
  /** A fake Stripe's address; absent: Stripe itself. */
  STRIPE_API_BASE: optional.pipe(z.url({ protocol: /^https?$/ }).optional()),
  PAYMENTS: optional.pipe(z.enum(["stripe", "simulated"]).optional()),
});

export type Env = z.infer<typeof EnvSchema>;

const CheckedEnv = EnvSchema.refine((set) => !set.STRIPE_SECRET_KEY || set.STRIPE_WEBHOOK_SECRET, {
  path: ["STRIPE_WEBHOOK_SECRET"],
  error:
    "Set it along with STRIPE_SECRET_KEY: it verifies Stripe's events. Stripe shows it after you set up the webhook /api/webhooks/stripe.",
})
  .refine((set) => set.PAYMENTS !== "stripe" || set.STRIPE_SECRET_KEY, {
    path: ["STRIPE_SECRET_KEY"],
    error: "PAYMENTS=stripe needs it. Set it, or leave PAYMENTS out.",
  })
  .refine((set) => !set.DATABASE_DIRECT_URL || set.DATABASE_URL, {
    path: ["DATABASE_URL"],
    error:
      "DATABASE_DIRECT_URL needs it: the pooler's address, while DATABASE_DIRECT_URL is the server's own.",
  })
  .refine((set) => !set.DATABASE_REPLICA_URL || set.DATABASE_URL, {
    path: ["DATABASE_URL"],
    error: "DATABASE_REPLICA_URL needs it: the primary, which the replica follows.",
  })
  .refine((set) => !set.VERIFY_URL || !set.VERIFY_MODEL, {
    path: ["VERIFY_URL"],
    error: "VERIFY_MODEL is set too, and one of them judges. Leave one out.",
  })
  .superRefine(checkOwnModels);

/** Validated once: a bad value stops the start and names the variable. */
export const env: Env = readEnv(process.env);

export const isProduction = process.env.NODE_ENV === "production";

const commit = process.env.FOOTNOTE_COMMIT;
/** Of the build, such as `0.1.0+1a2b3c4d`; without a commit where none was known. */
export const VERSION = commit ? `${version}+${commit}` : version;

/** Stands for APP_URL in prerendered pages: a build is served at any address. `server/public-pages.ts` replaces it. */
export const BUILD_ORIGIN = "http://address.invalid";

/** Where the metadata of pages points. */
export const pageOrigin =
  process.env.NEXT_PHASE === "phase-production-build" ? BUILD_ORIGIN : env.APP_URL;

/** For what needs a session of its own: locks, migrations and background work. */
export const directDatabaseUrl = env.DATABASE_DIRECT_URL ?? env.DATABASE_URL;

/** The embedded database's absolute folder; `memory://` in tests, null with DATABASE_URL. */
export const embeddedDataDir = env.DATABASE_URL ? null : embeddedFolder(env.DATA_DIR);

function embeddedFolder(dataDir: string): string {
  const isInMemory = dataDir === "memory:";
  return isInMemory ? "memory://" : path.resolve(/* turbopackIgnore: true */ dataDir, "pg");
}

/** Throws an error that names each invalid variable. */
export function readEnv(variables: Record<string, string | undefined>): Env {
  // Compose passes a variable that nobody set as an empty one.
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
  const { data, error } = CheckedEnv.safeParse(set);
  if (!data) {
    throw new Error(`The environment is invalid.\n${z.prettifyError(error)}`);
  }
  return data;
}

/** Whether the embedding model runs on this machine, in a process of the server's own. */
export function isLocalModel({
  EMBEDDING_MODEL = "",
  EMBEDDING_BASE_URL,
}: Pick<Env, "EMBEDDING_MODEL" | "EMBEDDING_BASE_URL">): boolean {
  return /^local(?::|$)/.test(EMBEDDING_MODEL) && !EMBEDDING_BASE_URL;
}

/** Whether the operator may pay someone for what accounts use: anything but the embedded model costs. */
export function costsOperator(set: Env): boolean {
  const { MODELS, EMBEDDING_MODEL, EMBEDDING_BASE_URL, EMBEDDING_API_KEY } = set;
  const hasModel = EMBEDDING_MODEL && !isLocalModel(set);
  const hasEmbeddings = Boolean(hasModel || EMBEDDING_BASE_URL || EMBEDDING_API_KEY);
  const hasServers = Boolean(set.RERANK_URL || set.VERIFY_URL);
  return hasEmbeddings || hasServers || modelIds(MODELS).some((id) => id !== EMBEDDED_MODEL);
}

function modelIds(models = ""): unknown[] {
  return models.trimStart().startsWith("[")
    ? JSON.parse(models).map(({ id }: { id?: unknown }) => id)
    : models.split(",").flatMap((id) => id.trim() || []);
}

function checkOwnModels(set: Env, check: z.RefinementCtx): void {
  const { MODELS = "" } = set;
  for (const [name, task] of [
    ["VERIFY_MODEL", "judge claims"],
    ["REWRITE_MODEL", "rewrite questions"],
    ["OCR_MODEL", "read images"],
  ] as const) {
    const id = set[name];
    const isEmbedded = id === EMBEDDED_MODEL;
    const isListed = MODELS.trimStart().startsWith("[")
      ? MODELS.includes(JSON.stringify(id))
      : MODELS.split(",").some((listed) => listed.trim() === id);
    if (id && (isEmbedded || !isListed)) {
      const message = isEmbedded
        ? `The built-in model can't ${task}. Name a model in MODELS with an upstream.`
        : `MODELS doesn't list '${id}'. Add it, or name a listed model with an upstream.`;
      check.addIssue({ code: "custom", path: [name], message });
    }
  }
}
