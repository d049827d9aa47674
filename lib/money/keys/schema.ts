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
import { cursorPageOf, pageCursor } from "@/lib/platform/http/list-page";
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

const PerMinute = z
  .int("Write a whole number, or leave it empty.")
  .min(1, "Choose at least 1 a minute, or leave it empty.")
  .nullish()
  .describe("Null: the limit of the key that creates it, or the server's.");

const Name = z
  .string()
  .trim()
  .min(1, "Name the key after the service that will use it.")
  .max(100)
  .refine(isPostgresText, CONTROL_CHARACTERS);

/** In the console's API, null is only the default model. */
const Models = z
  .array(z.string().min(1).max(200))
  .max(100)
  .refine(distinct, "Name each model once.")
  .refine(
    (models) => models.length === 1 || !models.includes(ALL_MODELS),
    `"${ALL_MODELS}" is all models. Leave the others out.`,
  )
  .nullish()
  .describe(
    '`["*"]` is all models, also those added later. Null: those of the key that creates it.',
  );

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
  name: Name.describe("After the service, tenant or person that uses it."),
  models: Models,
  query_mode: QueryMode.optional().describe(
    "What `citations.query` is for requests that leave it out; by default `last`.",
  ),
  monthly_budget_usd: Budget.nullish().describe(
    "US dollars per calendar month (UTC), as a decimal string. Null: up to the balance.",
  ),
  requests_per_minute: PerMinute,
  tokens_per_minute: PerMinute,
});
export type KeySettings = z.input<typeof KeySettings>;

/** Fields that are left out stay as they are; null removes a limit. */
export const UpdateKey = KeySettings.partial();
export type UpdateKey = z.input<typeof UpdateKey>;

export const CreateKey = KeySettings.extend({
  mode: z.enum(["live", "test"]).describe("Both have the same rates and draw on one balance."),
  scopes: z
    .array(Scope)
    .min(1, "Choose at least one scope.")
    .max(SCOPES.length)
    .refine(distinct, "Name each scope once.")
    .describe("What the key can do. They can't change later."),
  knowledge_scopes: z
    .array(KnowledgeScope)
    .max(KNOWLEDGE_SCOPES.length)
    .refine(distinct, "Name each knowledge scope once.")
    .default([])
    .describe("What the key can read. They can't change later."),
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
    .nullish()
    .describe(
      "The only documents that the key can read. Null: those of the key that creates it, or all of its knowledge scopes.",
    ),
  person: z
    .string()
    .trim()
    .min(1, "Write a reference, such as patient-123, or leave it out.")
    .max(200)
    .refine(isPostgresText, CONTROL_CHARACTERS)
    .nullish()
    .describe(
      "Whose documents personal_kb holds, by a reference of your own. Left out: the person of the key or the member that creates it.",
    ),
  expires_at: z.iso
    .datetime({ offset: true, error: "Use an ISO 8601 time, such as 2027-01-31T00:00:00Z." })
    .nullish()
    .describe("Null or left out: when the key that creates it expires, or never."),
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
    )
    .describe("How long the old secret keeps working: 0, 3600, 86400 or 604800 seconds."),
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
  display: z.string().describe("Such as `footnote_live_…a1B2`."),
  scopes: z.array(Scope),
  knowledge_scopes: z.array(KnowledgeScope),
  stores: z
    .array(z.string())
    .nullable()
    .describe("The vector stores that it is bound to, which may be gone; null when it isn't."),
  /** In the console, a member's reference is their email. */
  person: z
    .object({ kind: z.enum(["member", "external"]), reference: z.string() })
    .nullable()
    .describe("Null when the key isn't bound to a person."),
  models: z.array(z.string()).nullable().describe("Null: only the default model."),
  query_mode: QueryMode,
  monthly_budget_usd: z.string().nullable(),
  month_spend_usd: z.string().describe("Of the current month in UTC, with six decimal places."),
  /** Null: the server's limits. */
  requests_per_minute: z.number().nullable(),
  tokens_per_minute: z.number().nullable(),
  status: z.enum(["usable", "expired", "revoked"]),
  replaced_secrets: z
    .array(
      z.object({
        display: z.string(),
        expires_at: z.string(),
        last_used_at: z.string().nullable(),
      }),
    )
    .describe("Replaced secrets that still work, newest first."),
  expires_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
  created_at: z.string(),
  created_by: z.string().nullable(),
  /** The key that created it through the API. */
  created_by_key: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** What the caller may do with the key, as long as it is usable. */
  permissions: z.array(Permission),
});
export type Key = z.infer<typeof Key>;

/** A key as the key that created it sees it. */
export const ApiKey = Key.omit({ permissions: true, created_by: true, created_by_key: true });

export const CreatedApiKey = ApiKey.extend({
  secret: z.string().describe("Shown in this response only."),
});

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
  search: z
    .string()
    .max(100)
    .refine(isPostgresText, CONTROL_CHARACTERS)
    .optional()
    .describe("Part of a key's name, or the last four characters of its secret."),
  mode: z.enum(["live", "test"]).optional().describe("Keys of one mode only."),
  status: z
    .enum(KEY_STATUSES)
    .optional()
    .describe("Keys in one state only; `expiring` are usable ones with 14 days or less left."),
  after: pageCursor("key_"),
  limit: z.coerce.number().int().min(1).max(100).default(50).describe("Keys per page."),
});
export type ListKeys = z.output<typeof ListKeys>;

export const KeyPage = cursorPageOf(Key);
export type KeyPage = z.infer<typeof KeyPage>;

export const ApiKeyPage = cursorPageOf(ApiKey);

export const KeyParams = z.object({ id: z.string().max(100).describe("The key's id.") });

/** What the forms of a key need to know about the server and the member. */
export interface KeyOptions {
  models: { id: string; isDefault: boolean }[];
  /** The server's limits per minute, which no key exceeds. */
  limits: { requests: number; tokens: number };
  email: string;
  /** The vector stores that the member can bind a key to, except the knowledge bases. */
  stores: { id: string; name: string; scope: KnowledgeScope }[];
}
