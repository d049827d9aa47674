import * as z from "zod";
import { UsageDetails } from "@/lib/money/billing/schema";
import { isPostgresText } from "@/lib/platform/db/postgres-text";
import { cursorPageOf } from "@/lib/platform/http/list-page";
import { CHART_GROUPS, LOGGED_KINDS, MAX_DAYS, USAGE_OUTCOMES, type UsageFilter } from "./filter";

const name = z
  .string()
  .min(1)
  .max(200)
  .refine(isPostgresText, "Use text without control characters.");
const day = z.iso
  .date("Use a day that exists, such as 2026-11-30.")
  .refine((value) => value >= "2000-01-01", "Use a day from 2000-01-01 on.")
  .meta({ pattern: String.raw`^[2-9]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$` });

const filters = {
  /** A key's id. */
  key: name.optional(),
  model: name.optional(),
  kind: z.enum(LOGGED_KINDS).optional(),
  status: z.enum(USAGE_OUTCOMES).optional(),
  days: z.coerce.number().int().min(1).max(MAX_DAYS).optional(),
  from: day.optional(),
  to: day.optional(),
};

function isOneRange({ days, from, to }: Pick<UsageFilter, "days" | "from" | "to">): boolean {
  return days === undefined || (from === undefined && to === undefined);
}
const ONE_RANGE = { path: ["days"], message: "Give 'days', or 'from' and 'to', and not both." };

/** Days are UTC, `to` inclusive; default: the last 30 days. */
export const FilterUsage = z.strictObject(filters).refine(isOneRange, ONE_RANGE);

/** The chart's grouping beside the filter. */
export const SummarizeUsage = z
  .strictObject({ ...filters, group_by: z.enum(CHART_GROUPS).optional() })
  .refine(isOneRange, ONE_RANGE);

export const ListRequests = z
  .strictObject({
    ...filters,
    after: z
      .string()
      .regex(/^\d{13}\..{1,100}$/, "Pass the 'next_cursor' of a page.")
      .optional(),
    limit: z.coerce.number().int().min(1).max(100).default(50),
  })
  .refine(isOneRange, ONE_RANGE);
export type ListRequests = z.output<typeof ListRequests>;

/** A request in the log: counts and names, never text. The fields are the columns of a download. */
export const LoggedRequest = z.object({
  created_at: z.string().describe("When it ended."),
  id: z.string(),
  endpoint: z.string(),
  kind: z.string().describe("`refused` when it failed before any work began."),
  model: z.string().nullable().describe("Null for searches and ingestion."),
  key_id: z.string(),
  key_name: z.string().nullable().describe("Null when the key was deleted."),
  status: z.int(),
  error_code: z.string().nullable(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  passages: z.int().nullable().describe("Null when retrieval did not run."),
  cost_usd: z.string(),
  latency_ms: z.int(),
  first_token_ms: z.int().nullable().describe("Null when the response wasn't streamed."),
  warnings: z.array(z.string()),
});
export type LoggedRequest = z.infer<typeof LoggedRequest>;

export const RequestPage = cursorPageOf(LoggedRequest);
export type RequestPage = z.infer<typeof RequestPage>;

/** What usage can be grouped by, in sort order. */
export const USAGE_GROUPS = ["day", "model", "key", "kind"] as const;
const UsageGroup = z.enum(USAGE_GROUPS);
export type UsageGroup = z.infer<typeof UsageGroup>;

export const GetUsage = z.strictObject({
  from: day.optional().describe("The first day, in UTC. Default: 29 days before `to`."),
  to: day.optional().describe("The last day, in UTC, inclusive. Default: today."),
  group_by: z
    .string()
    .default("day")
    .describe(`Any of ${USAGE_GROUPS.join(", ")}, with commas between them.`)
    .transform((text, check) => {
      const names = text.split(",").map((name) => name.trim());
      const groups = names.flatMap((name) => UsageGroup.safeParse(name).data ?? []);
      if (groups.length < names.length || new Set(groups).size < names.length) {
        check.addIssue({
          code: "custom",
          message: `Name each of ${USAGE_GROUPS.join(", ")} once at most, with commas between them.`,
        });
      }
      return groups;
    }),
});
export type GetUsage = z.output<typeof GetUsage>;

const usageSums = {
  requests: z.int(),
  failed_requests: z.int().describe("Requests that ended with an error or a client disconnect."),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  passages: z.int(),
  cost_usd: z.string(),
};

/** Each row has the fields it is grouped by. */
const UsageRow = z.object({
  day: z.string().optional(),
  model: z
    .string()
    .nullable()
    .optional()
    .describe("Null for requests without a model: searches and ingestion."),
  key_id: z.string().optional(),
  key_name: z.string().nullable().optional().describe("Null when the key was deleted."),
  kind: z.string().optional(),
  ...usageSums,
});
export type UsageRow = z.infer<typeof UsageRow>;

export const UsageReport = z.object({
  object: z.literal("billing.usage"),
  currency: z.literal("usd"),
  from: z.string(),
  to: z.string(),
  group_by: z.array(UsageGroup),
  data: z.array(UsageRow),
  total: z.object(usageSums),
});
export type UsageReport = z.infer<typeof UsageReport>;

const { passages: _, ...used } = usageSums;
/** Refused requests aren't among the failed ones. */
const sums = { ...used, refused_requests: z.int() };

/** Failed and refused requests with the same error. */
const ErrorGroup = z.object({
  endpoint: z.string(),
  status: z.int(),
  code: z.string().nullable().describe("Null for a document that could not be processed."),
  requests: z.int(),
  last_id: z.string().describe("The latest of them."),
  last_at: z.string(),
});
export type ErrorGroup = z.infer<typeof ErrorGroup>;

/** The totals of the filtered requests, and the filter options in their date range. */
export const UsageSummary = z.object({
  object: z.literal("usage.summary"),
  from: z.string(),
  to: z.string(),
  total: z.object(sums),
  interval: z.enum(["hour", "day"]).describe("Hours for up to seven days."),
  /** Every interval of the range by its start in UTC, also those without requests. */
  buckets: z.array(z.object({ at: z.string(), ...sums })),
  /** The largest groups first; empty unless grouping was asked for. */
  groups: z.array(
    z.object({
      id: z.string().nullable().describe("Null for all further groups together."),
      name: z.string().nullable().describe("Null for a deleted key, or no model."),
      /** One for each bucket. */
      points: z.array(z.object({ requests: z.number(), tokens: z.number(), cost_usd: z.string() })),
    }),
  ),
  errors: z.array(ErrorGroup).describe("The most frequent ones, disconnects aside."),
  /** The keys and models in the range, regardless of the other filters. */
  keys: z.array(z.object({ id: z.string(), name: z.string().nullable(), requests: z.int() })),
  models: z.array(z.string()),
});
export type UsageSummary = z.infer<typeof UsageSummary>;

/** A line of a charge: a quantity at a unit price. */
const ChargePart = z.object({
  name: z.string(),
  quantity: z.number(),
  price_usd: z.string(),
  per: z.number().describe("How many units the price covers."),
  usd: z.string(),
});
export type ChargePart = z.infer<typeof ChargePart>;

/** How a charge was calculated. Its lines have nine decimal places or more, the charge six. */
export const Charge = z.object({
  parts: z.array(ChargePart),
  exact_usd: z.string(),
  charged_usd: z.string(),
});
export type Charge = z.infer<typeof Charge>;

export const SourceUsed = z.object({
  id: z.number().describe("Its number in the answer."),
  scope: z.string(),
  similarity: z.number(),
  cited: z.boolean(),
  /** `personal`: belongs to someone other than this member; its title is hidden. */
  state: z.enum(["visible", "personal", "deleted"]),
  chunk_id: z.string().nullable().describe("The passage; all three are null unless it is visible."),
  document_id: z.string().nullable(),
  title: z.string().nullable(),
});
export type SourceUsed = z.infer<typeof SourceUsed>;

/** Everything recorded about a request, except its stored answer. */
export const RequestRecord = LoggedRequest.extend({
  /** Such as `footnote_live_…a1B2`; null when the key was deleted. */
  key_display: z.string().nullable(),
  is_playground: z.boolean().describe("Sent from the console."),
  /** Null unless it failed before any work began. */
  refusal: z
    .object({
      message: z.string().describe("As the caller saw it."),
      param: z.string().nullable(),
      /** How many refusals of this key came before it without being recorded. */
      skipped: z.int(),
    })
    .nullable(),
  charge: Charge,
  sources: z.array(SourceUsed),
  details: UsageDetails.omit({ sources: true }),
});
export type RequestRecord = z.infer<typeof RequestRecord>;

/** The fields of a deleted stored answer that the console reads. */
export const AnswerDeleted = z.object({ id: z.string(), deleted: z.literal(true) });
