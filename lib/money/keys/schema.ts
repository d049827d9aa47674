import * as z from "zod";
import {
  ALL_MODELS,
  KNOWLEDGE_SCOPES,
  KnowledgeScope,
  QueryMode,
  SCOPES,
  Scope,
} from "@/lib/platform/auth/schema";
import { isPostgresText } from "@/lib/platform/db/postgres-text";
import { KEY_STATUSES } from "./filter";

const YEAR_MS = 366 * 24 * 60 * 60 * 1000;

const MAX_STORES = 20;

const MAX_BUDGET_USD = 1_000_000;

const CONTROL_CHARACTERS = "Use text without control characters.";

/** Six decimal places are whole micro-dollars. */
const Budget = z
  .string()
  .regex(
    /^\d{1,7}(\.\d{1,6})?$/,
    "Write an amount of US dollars with at most six decimal places, such as 50 or 12.5.",
  )
  .refine(
    (usd) => /[1-9]/.test(usd) && Number(usd) <= MAX_BUDGET_USD,
    "Choose a budget above 0 and at most 1,000,000.",
  );

/** Null or absent: the server's own limit, which no key may exceed. */
const PerMinute = z
  .int("Write a whole number, or leave it empty.")
  .min(1, "Choose at least 1 a minute, or leave it empty.")
  .nullish();

const Name = z
  .string()
  .trim()
  .min(1, "Name the key after the service that will use it.")
  .max(100)
  .refine(isPostgresText, CONTROL_CHARACTERS);

/** Null: only the default model. `["*"]`: all models, also those added later. */
const Models = z
  .array(z.string().min(1).max(200))
  .max(100)
  .refine(distinct, "Name each model once.")
  .refine(
    (models) => models.length === 1 || !models.includes(ALL_MODELS),
    `"${ALL_MODELS}" is all models. Leave the others out.`,
  )
  .nullish();

/** Stores of the account are in customer_kb or personal_kb. */
function isWithinScopes(store: string, scopes: readonly KnowledgeScope[]): boolean {
  const scope = KnowledgeScope.safeParse(store).data;
  return scope ? scopes.includes(scope) : scopes.some((each) => each !== "public_kb");
}

function isWithinTenYears(time: number): boolean {
  return time > Date.now() && time <= Date.now() + 10 * YEAR_MS;
}

function distinct<T>(values: readonly T[]): boolean {
  return new Set(values).size === values.length;
}

/** What can change after the key was created; scopes can't. */
const KeySettings = z.strictObject({
  name: Name,
  models: Models,
  /** What `citations.query` is when a request leaves it out; `last` if absent. */
  query_mode: QueryMode.optional(),
  /** US dollars per calendar month (UTC); null: up to the balance. */
  monthly_budget_usd: Budget.nullish(),
  requests_per_minute: PerMinute,
  tokens_per_minute: PerMinute,
});
export type KeySettings = z.input<typeof KeySettings>;

/** Fields that are left out stay as they are; null removes a limit. */
export const UpdateKey = KeySettings.partial();
export type UpdateKey = z.input<typeof UpdateKey>;

export const CreateKey = KeySettings.extend({
  mode: z.enum(["live", "test"]),
  scopes: z
    .array(Scope)
    .min(1, "Choose at least one scope.")
    .max(SCOPES.length)
    .refine(distinct, "Name each scope once."),
  knowledge_scopes: z
    .array(KnowledgeScope)
    .max(KNOWLEDGE_SCOPES.length)
    .refine(distinct, "Name each knowledge scope once.")
    .default([]),
  /** Vector stores and knowledge scopes outside of which no document exists for the key; null: all of its knowledge scopes. */
  stores: z
    .array(
      z.union(
        [KnowledgeScope, z.string().regex(/^vs_[0-9a-z]{1,60}$/)],
        "Name vector stores by their ids, such as vs_01m3, or knowledge scopes.",
      ),
    )
    .min(1, "Choose at least one vector store.")
    .max(MAX_STORES, `Choose at most ${MAX_STORES} vector stores.`)
    .refine(distinct, "Name each vector store once.")
    .nullish(),
  /** Whose documents personal_kb holds: the caller's own reference, or the member if absent. */
  person: z
    .string()
    .trim()
    .min(1, "Write a reference, such as patient-123, or leave it out.")
    .max(200)
    .refine(isPostgresText, CONTROL_CHARACTERS)
    .nullish(),
  expires_at: z.iso
    .datetime({ offset: true, error: "Use an ISO 8601 time, such as 2027-01-31T00:00:00Z." })
    .nullish(),
})
  .refine(({ person, knowledge_scopes }) => !person || knowledge_scopes.includes("personal_kb"), {
    path: ["person"],
    error: "Only a key with personal_kb can be bound to a person.",
  })
  .refine(
    ({ stores, knowledge_scopes }) =>
      !stores || stores.every((store) => isWithinScopes(store, knowledge_scopes)),
    {
      path: ["stores"],
      error: "A store can't add to the knowledge scopes. Name only stores in these.",
    },
  )
  .refine(({ expires_at }) => !expires_at || isWithinTenYears(Date.parse(expires_at)), {
    path: ["expires_at"],
    error: "Choose a time in the future, within ten years.",
  });
export type CreateKey = z.input<typeof CreateKey>;

/** Seconds a replaced secret keeps working: none, an hour, a day, a week. */
export const OVERLAPS = ["0", "3600", "86400", "604800"] as const;

export const RotateKey = z.strictObject({
  overlap_seconds: z
    .int()
    .refine(
      (seconds) => OVERLAPS.some((overlap) => Number(overlap) === seconds),
      `Choose ${OVERLAPS.join(", ")} seconds.`,
    ),
});
export type RotateKey = z.infer<typeof RotateKey>;

/** `change` includes rotating. */
const Permission = z.enum(["change", "revoke"]);
export type Permission = z.infer<typeof Permission>;

/** A key without its secret. Times are ISO 8601 in UTC. */
export const Key = z.object({
  id: z.string(),
  object: z.literal("api_key"),
  name: z.string(),
  mode: z.enum(["live", "test"]),
  /** Such as `footnote_live_…a1B2`. */
  display: z.string(),
  scopes: z.array(Scope),
  knowledge_scopes: z.array(KnowledgeScope),
  /** The vector stores that it is bound to, which may be gone; null when it isn't. */
  stores: z.array(z.string()).nullable(),
  /** Null when the key isn't bound to a person. A member's reference is their email. */
  person: z.object({ kind: z.enum(["member", "external"]), reference: z.string() }).nullable(),
  models: z.array(z.string()).nullable(),
  query_mode: QueryMode,
  /** Decimal strings of US dollars with six places; the month is the current one in UTC. */
  monthly_budget_usd: z.string().nullable(),
  month_spend_usd: z.string(),
  /** Null: the server's limits. */
  requests_per_minute: z.number().nullable(),
  tokens_per_minute: z.number().nullable(),
  status: z.enum(["usable", "expired", "revoked"]),
  /** Replaced secrets that still work, newest first. */
  replaced_secrets: z.array(
    z.object({ display: z.string(), expires_at: z.string(), last_used_at: z.string().nullable() }),
  ),
  expires_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
  created_at: z.string(),
  created_by: z.string().nullable(),
  /** What the caller may do with the key, as long as it is usable. */
  permissions: z.array(Permission),
});
export type Key = z.infer<typeof Key>;

/** The only response that contains the secret. */
export const CreatedKey = z.object({ key: Key, secret: z.string() });
export type CreatedKey = z.infer<typeof CreatedKey>;

/** The test key of a new account; null if the account ever had a key. */
export const FirstKey = z.object({
  object: z.literal("first_key"),
  created: CreatedKey.nullable(),
});
export type FirstKey = z.infer<typeof FirstKey>;

export const ListKeys = z.strictObject({
  /** Part of a key's name, or the end of its secret. */
  search: z.string().max(100).refine(isPostgresText, CONTROL_CHARACTERS).optional(),
  mode: z.enum(["live", "test"]).optional(),
  status: z.enum(KEY_STATUSES).optional(),
  after: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});
export type ListKeys = z.output<typeof ListKeys>;

export const KeyPage = z.object({
  object: z.literal("list"),
  data: z.array(Key),
  has_more: z.boolean(),
  /** Pass as `after` for the next page; null on the last one. */
  next_cursor: z.string().nullable(),
});
export type KeyPage = z.infer<typeof KeyPage>;

export const KeyParams = z.object({ id: z.string().max(100) });

/** What the forms of a key need to know about the server and the member. */
export interface KeyOptions {
  models: { id: string; isDefault: boolean }[];
  /** The server's limits per minute, which no key exceeds. */
  limits: { requests: number; tokens: number };
  email: string;
  /** The vector stores that the member can bind a key to, except the knowledge bases. */
  stores: { id: string; name: string; scope: KnowledgeScope }[];
}
