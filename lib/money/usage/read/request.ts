import "server-only";

import * as z from "zod";
import { type Micros, microsToUsd } from "@/lib/money/billing/money";
import { UsageDetails } from "@/lib/money/billing/schema";
import type { Context, MemberContext } from "@/lib/platform/auth/context";
import { query } from "@/lib/platform/db/client";
import type { Charge, RequestRecord, SourceUsed } from "../schema";
import { LOGGED_COLUMNS, type LoggedRow, refusedRows, toLoggedRequest, usedRows } from "./requests";

type RecordRow = LoggedRow & {
  rate: unknown;
  details: unknown;
  key_display: string | null;
  is_playground: boolean;
  message: string | null;
  param: string | null;
  skipped: number | null;
};

/** One of the account's requests, or null. */
export async function findRequest(ctx: MemberContext, id: string): Promise<RequestRecord | null> {
  const [row] = await query<RecordRow>(
    "billing_find_request",
    `SELECT ${LOGGED_COLUMNS}, r.rate, r.details, r.message, r.param, r.skipped,
            k.prefix || '…' || k.last_four AS key_display, coalesce(k.purpose = 'playground', false) AS is_playground
       FROM (${usedRows(", rate, details, NULL::text AS message, NULL::text AS param, NULL::integer AS skipped")}
              WHERE id = $2 AND account_id = $1
              UNION ALL
             ${refusedRows(", '{}'::jsonb AS rate, '{}'::jsonb AS details, message, param, skipped")}
              WHERE id = $2 AND account_id = $1) AS r
            LEFT JOIN api_key k ON k.id = r.key_id AND k.account_id = $1`,
    [ctx.account.id, id],
  );
  if (!row) {
    return null;
  }
  const { rate, details: recorded, key_display, is_playground, ...rest } = row;
  const { message, param, skipped, ...logged } = rest;
  const { sources = [], ...details } = UsageDetails.safeParse(recorded).data ?? {};
  return {
    ...toLoggedRequest(logged),
    key_display: is_playground ? null : key_display,
    is_playground,
    refusal: message === null ? null : { message, param, skipped: skipped ?? 0 },
    charge: chargeOf(rate, logged),
    sources: await readSources(ctx, sources),
    details,
  };
}

/** What one of the account's requests cost, in US dollars; null for any other, and for one that hasn't ended. */
export async function findCost(
  { account }: Context,
  id: string,
): Promise<{ request_id: string; cost_usd: string } | null> {
  const [row] = await query<{ cost: Micros }>(
    "billing_find_cost",
    "SELECT cost_micros AS cost FROM usage_record WHERE id = $1 AND account_id = $2",
    [id, account.id],
  );
  return row ? { request_id: id, cost_usd: microsToUsd(row.cost) } : null;
}

/** The sources as they are now; a title is null when the member may not open the document. */
async function readSources(
  { account, actor }: MemberContext,
  sources: NonNullable<UsageDetails["sources"]>,
): Promise<SourceUsed[]> {
  if (sources.length === 0) {
    return [];
  }
  const ids = [...new Set(sources.map(({ document_id }) => document_id))];
  const rows = await query<{ id: string; title: string | null }>(
    "billing_source_titles",
    `SELECT d.id, CASE WHEN c.scope = 'public_kb'
                         OR c.scope = 'customer_kb' AND c.account_id = $1
                         OR c.scope = 'personal_kb' AND c.account_id = $1
                            AND p.kind = 'member' AND p.reference = $2
                       THEN d.title END AS title
       FROM document d JOIN collection c ON c.id = d.collection_id
            LEFT JOIN person p ON p.id = c.person_id
      WHERE d.id = ANY ($3) AND (c.scope = 'public_kb' OR c.account_id = $1)`,
    [account.id, actor.id, ids],
  );
  const titles = new Map(rows.map(({ id, title }) => [id, title]));
  return sources.map(({ document_id, chunk_id, ...source }) => {
    const title = titles.get(document_id);
    return {
      ...source,
      state: title === undefined ? "deleted" : title === null ? "personal" : "visible",
      chunk_id: title == null ? null : chunk_id,
      document_id: title == null ? null : document_id,
      title: title ?? null,
    };
  });
}

const OwnCallRate = z.object({
  input: z.number(),
  output: z.number(),
  cached_input: z.number().optional(),
  cached_tokens: z.int().default(0),
  cache_write: z.number().optional(),
  cache_write_tokens: z.int().default(0),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
});
/** One, or one for each model. */
const OwnCallRates = z
  .union([OwnCallRate.transform((one) => [one]), z.array(OwnCallRate)])
  .default([]);

/** The rate a record was billed at, in any of its forms; also of the models that made the query and verified the answer. */
const Rate = z.object({
  input: z.number().optional(),
  output: z.number().optional(),
  cached_input: z.number().optional(),
  cached_tokens: z.int().default(0),
  cache_write: z.number().optional(),
  cache_write_tokens: z.int().default(0),
  search_usd: z.number().optional(),
  verification_usd_per_citation: z.number().optional(),
  citations: z.int().optional(),
  embedding_usd_per_million_tokens: z.number().optional(),
  ingest_usd_per_thousand_tokens: z.number().optional(),
  ocr_usd_per_page: z.number().optional(),
  ocr_pages: z.int().optional(),
  ocr_model_usd: z.number().optional(),
  failed_parsing_usd_per_cpu_second: z.number().optional(),
  cpu_ms: z.int().optional(),
  rewrite: OwnCallRates,
  search: OwnCallRates,
  verification: OwnCallRates,
});

/** A rate has at most six decimal places, or three for a million tokens; a price for a thousand has more. */
const PLACES = 12;
const SCALE = 10n ** BigInt(PLACES);

type Line = [name: string, quantity: number, usd: number | undefined, per: number];

function ownCallLines(name: string, used: z.output<typeof OwnCallRate>): Line[] {
  const { cached_tokens: cached, cache_write_tokens: written } = used;
  return [
    [`${name} input`, used.prompt_tokens - cached - written, used.input, 1_000_000],
    [`${name} cached input`, cached, cached > 0 ? used.cached_input : undefined, 1_000_000],
    [`${name} cache writes`, written, written > 0 ? used.cache_write : undefined, 1_000_000],
    [`${name} output`, used.completion_tokens, used.output, 1_000_000],
  ];
}

/** How the cost of a request was computed; without parts when its rate is unknown. */
export function chargeOf(
  rate: unknown,
  used: Pick<LoggedRow, "prompt_tokens" | "completion_tokens" | "cost_micros">,
): Charge {
  const { rewrite, search, verification, ...known } = Rate.safeParse(rate).data ?? Rate.parse({});
  const { cached_tokens: cached, cache_write_tokens: written } = known;
  const lines: Line[] = [
    ["Input tokens", used.prompt_tokens - cached - written, known.input, 1_000_000],
    ["Cached input tokens", cached, cached > 0 ? known.cached_input : undefined, 1_000_000],
    ["Cache write tokens", written, written > 0 ? known.cache_write : undefined, 1_000_000],
    ["Output tokens", used.completion_tokens, known.output, 1_000_000],
    ...rewrite.flatMap((used) => ownCallLines("Query rewriting", used)),
    ...search.flatMap((used) => ownCallLines("Choosing searches", used)),
    ...verification.flatMap((used) => ownCallLines("Verification", used)),
    ["Search", 1, known.search_usd, 1],
    ["Citations", known.citations ?? 0, known.verification_usd_per_citation, 1],
    ["Tokens", used.prompt_tokens, known.embedding_usd_per_million_tokens, 1_000_000],
    ["Tokens", used.prompt_tokens, known.ingest_usd_per_thousand_tokens, 1000],
    ["Recognized pages", known.ocr_pages ?? 0, known.ocr_usd_per_page, 1],
    ["Pages recognized by a model", 1, known.ocr_model_usd, 1],
    ["CPU milliseconds", known.cpu_ms ?? 0, known.failed_parsing_usd_per_cpu_second, 1000],
  ];
  const parts = lines.flatMap(([name, quantity, usd, per]) => {
    const price = usd === undefined ? null : scaled(usd);
    return price === null
      ? []
      : [{ name, quantity, price, per, exact: (BigInt(quantity) * price) / BigInt(per) }];
  });
  return {
    parts: parts.map(({ price, exact, ...part }) => ({
      ...part,
      price_usd: toUsd(price),
      usd: toUsd(exact),
    })),
    exact_usd: toUsd(parts.reduce((sum, { exact }) => sum + exact, 0n)),
    charged_usd: microsToUsd(used.cost_micros),
  };
}

/** Exact, because a price has at most nine significant places. */
function scaled(usd: number): bigint {
  return BigInt(Math.round(usd * 1e9)) * 10n ** BigInt(PLACES - 9);
}

/** At least six decimal places, without trailing zeros after them. */
function toUsd(amount: bigint): string {
  const fraction = String(amount % SCALE).padStart(PLACES, "0");
  return `${amount / SCALE}.${fraction.slice(0, 6)}${fraction.slice(6).replace(/0+$/, "")}`;
}
