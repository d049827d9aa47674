import path from "node:path";
import * as z from "zod";

const flag = z.enum(["true", "false"]).transform((value) => value === "true");
const optional = z
  .string()
  .transform((value) => value.trim() || undefined)
  .optional();

/** Every variable the product reads. `.env.example` lists the same ones, by test. */
export const EnvSchema = z.object({
  /** PostgreSQL 15 or later with pgvector 0.7 or later; absent: the embedded database in DATA_DIR. */
  DATABASE_URL: optional,
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(200).default(10),
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
  GOOGLE_CLIENT_ID: optional,
  GOOGLE_CLIENT_SECRET: optional,
  OPENAI_BASE_URL: optional,
  OPENAI_API_KEY: optional,
  /** Ids separated by commas, or a JSON array of catalogue entries; the first is the default model. */
  MODELS: optional,
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "silent"]).default("info"),
  /** US dollars a new account starts with; absent: 5 on the embedded database, 0 on a server. */
  SIGNUP_GRANT_USD: z.coerce.number().min(0).max(1000).optional(),
  RETRIEVAL_DEADLINE_MS: z.coerce.number().int().min(1).default(3000),
  REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).default(600),
  TOKENS_PER_MINUTE: z.coerce.number().int().min(1).default(1_000_000),
  MAX_STREAMS_PER_ACCOUNT: z.coerce.number().int().min(1).default(100),
  MAX_UPLOAD_BYTES: z.coerce
    .number()
    .int()
    .min(1)
    .default(50 * 1024 * 1024),
  MAX_CHUNKS_PER_DOCUMENT: z.coerce.number().int().min(1).default(10_000),
  /** Whether this process runs document jobs and sweeps expired holds. */
  RUN_JOBS: flag.default(true),
});

export type Env = z.infer<typeof EnvSchema>;

/** What the process was started with, checked once. A bad value stops the start and names the variable. */
export const env: Env = EnvSchema.parse(process.env);

/** In place of DATA_DIR: an embedded database in memory, for tests. */
const IN_MEMORY = "memory:";

/** The absolute folder of the embedded database, or `memory://`; null when DATABASE_URL names a server. */
export const embeddedDataDir = env.DATABASE_URL ? null : embeddedFolder();

function embeddedFolder(): string {
  return env.DATA_DIR === IN_MEMORY
    ? "memory://"
    : path.resolve(/* turbopackIgnore: true */ env.DATA_DIR, "pg");
}
