import { monotonicFactory } from "ulid";
import { usdToMicros } from "@/lib/money/billing/money";
import { chatCost, ingestCost, RATES, searchCost } from "@/lib/money/billing/rates";
import { execute, query } from "@/lib/platform/db/client";
import { Random } from "../search/random";
import { someChunks, type UsedChunk } from "./documents";

const SEED = 20_261_121;
const MODEL = "footnote-extract-1";
const TOP_UP_USD = 250;
const DAYS = 30;
const DAY_MS = 86_400_000;
const BATCH = 1000;
const SOURCES = 400;
const SOURCES_EACH = 5;
const FAILED_SHARE = 0.03;
const WEEKEND_SHARE = 0.3;
const FAILURES = [
  { status: 400, error_code: "invalid_request" },
  { status: 429, error_code: "rate_limit_exceeded" },
  { status: 499, error_code: "client_closed_request" },
  { status: 503, error_code: "retrieval_unavailable" },
];
const ENDPOINTS = {
  core: "/v1/chat/completions",
  grounded: "/v1/chat/completions",
  search: "/v1/kb/search",
  ingest: "/v1/kb/documents",
};
type Kind = keyof typeof ENDPOINTS;
/** Passages found per kind; null without retrieval. */
const PASSAGES = { core: null, grounded: SOURCES_EACH, search: SOURCES_EACH, ingest: null };
/** The rates of kinds with a model. */
const MODELS = RATES.embedded;

/**
 * Inserts 30 days of usage as requests would, with usage records, ledger entries and key spend, paid for by an earlier
 * top-up.
 */
export async function addUsage(
  account: { id: string; keyIds: readonly string[] },
  count: number,
): Promise<void> {
  const random = new Random(SEED, 2);
  const chunks = await someChunks(SOURCES);
  const nextUlid = monotonicFactory();
  const paidAt = Date.now() - (DAYS + 1) * DAY_MS;
  await topUp(account.id, { id: `txn_${nextUlid(paidAt).toLowerCase()}`, paidAt });
  const times = Array.from({ length: count }, () => moment(random)).sort((a, b) => a - b);
  for (let start = 0; start < count; start += BATCH) {
    const rows = times.slice(start, start + BATCH).map((time) => {
      const id = nextUlid(time).toLowerCase();
      return { ...makeRecord(random, chunks), id, time, key_id: random.pick(account.keyIds) };
    });
    await insert(account.id, JSON.stringify(rows));
  }
  await settle(account.id);
}

/** More by day than by night, less on weekends, and rising over time. */
function moment(random: Random): number {
  for (;;) {
    const at = new Date(Date.now() - DAYS * DAY_MS * random.next() ** 1.4);
    const isWeekend = at.getUTCDay() === 0 || at.getUTCDay() === 6;
    const isNight = at.getUTCHours() < 6 || at.getUTCHours() > 20;
    if ((!isWeekend && !isNight) || random.next() < WEEKEND_SHARE) {
      return at.getTime();
    }
  }
}

function makeRecord(random: Random, chunks: readonly UsedChunk[]) {
  const kind = kindOf(random.next());
  const isFailed = random.next() < FAILED_SHARE;
  const record = {
    ...{ kind, endpoint: ENDPOINTS[kind], model: kind in MODELS ? MODEL : null },
    ...{ rate: rateOf(kind), passages: PASSAGES[kind] },
    latency_ms: Math.round(8 + 30 * random.next() ** 3 + (kind === "grounded" ? 12 : 0)),
  };
  return { ...record, ...(isFailed ? failure(random) : success(random, record, chunks)) };
}

function failure(random: Random) {
  const { status, error_code } = random.pick(FAILURES);
  const nothing = { prompt_tokens: 0, completion_tokens: 0, cost_micros: "0" };
  return { ...nothing, status, first_token_ms: null, details: { error_code } };
}

function success(
  random: Random,
  { kind, latency_ms }: { kind: Kind; latency_ms: number },
  chunks: readonly UsedChunk[],
) {
  const tokens = tokensOf(random, kind);
  const isStream = kind in MODELS && random.next() < 0.7;
  return {
    ...{ prompt_tokens: tokens.prompt, completion_tokens: tokens.completion },
    cost_micros: String(costOf(kind, tokens)),
    status: kind === "ingest" ? 202 : 200,
    first_token_ms: isStream ? Math.round(latency_ms * 0.6) : null,
    details: {
      ...(kind in MODELS && { is_stream: isStream, stages_ms: { model: latency_ms } }),
      ...(kind === "grounded" && evidence(random, chunks)),
    },
  };
}

function kindOf(share: number): Kind {
  if (share < 0.55) {
    return "grounded";
  }
  return share < 0.75 ? "core" : share < 0.95 ? "search" : "ingest";
}

function tokensOf(random: Random, kind: Kind) {
  const prompt = { core: 120, grounded: 1400, search: 0, ingest: 900 }[kind];
  const completion = kind === "core" || kind === "grounded" ? random.within(40, 220) : 0;
  return { prompt: Math.round(prompt * (0.6 + 0.8 * random.next())), completion };
}

function costOf(kind: Kind, tokens: { prompt: number; completion: number }): bigint {
  switch (kind) {
    case "search":
      return searchCost();
    case "ingest":
      return ingestCost(tokens.prompt);
    default:
      return chatCost(MODELS, kind, tokens);
  }
}

function rateOf(kind: Kind): object {
  switch (kind) {
    case "search":
      return { search_usd: RATES.searchUsd };
    case "ingest":
      return { ingest_usd_per_thousand_tokens: RATES.ingestUsdPerThousandTokens };
    default:
      return MODELS[kind];
  }
}

function evidence(random: Random, chunks: readonly UsedChunk[]) {
  const sources = Array.from({ length: SOURCES_EACH }, (_, index) => {
    const { id, document_id, scope } = random.pick(chunks);
    const similarity = Number((0.9 - 0.1 * index).toFixed(2));
    return { id: index + 1, document_id, chunk_id: id, scope, similarity, cited: index < 3 };
  });
  const judged = { supported: 3, partial: 0, unsupported: 0, contradicted: 0 };
  const markers = { dropped_markers: 0, repaired_markers: 0, stripped_markers: 0 };
  const verification = { sentences: 3, cited: 3, ...judged, ...markers, method: "rules" };
  return { sources, verification };
}

async function insert(accountId: string, rows: string): Promise<void> {
  await query(
    "bench_usage",
    `WITH r AS (
       SELECT * FROM json_to_recordset($2::json) AS r(id text, time bigint, key_id text, kind text, endpoint text,
         model text, prompt_tokens int, completion_tokens int, passages int, cost_micros bigint, rate jsonb,
         status int, latency_ms int, first_token_ms int, details jsonb)
     ), entered AS (
       INSERT INTO ledger_entry (id, account_id, kind, amount_micros, reference, created_at)
       SELECT 'txn_' || id, $1, 'usage', -cost_micros, 'usage:req_' || id, to_timestamp(time / 1000.0)
         FROM r WHERE cost_micros > 0
     )
     INSERT INTO usage_record (id, account_id, key_id, endpoint, model, kind, prompt_tokens, completion_tokens, passages,
                               cost_micros, rate, status, warning_codes, latency_ms, first_token_ms, details, created_at)
     SELECT 'req_' || id, $1, key_id, endpoint, model, kind, prompt_tokens, completion_tokens, passages,
            cost_micros, rate, status, '{}', latency_ms, first_token_ms, details, to_timestamp(time / 1000.0) FROM r`,
    [accountId, rows],
  );
}

async function topUp(
  accountId: string,
  { id, paidAt }: { id: string; paidAt: number },
): Promise<void> {
  await query(
    "bench_top_up",
    `INSERT INTO ledger_entry (id, account_id, kind, amount_micros, reference, created_at)
     VALUES ($1, $2, 'top_up', $3, 'top_up:bench:' || $2::text, $4)`,
    [id, accountId, usdToMicros(TOP_UP_USD), new Date(paidAt)],
  );
}

/** Updates the balance and key spend to match the inserted rows. */
async function settle(accountId: string): Promise<void> {
  await query(
    "bench_balance",
    `UPDATE account SET balance_micros = (SELECT sum(amount_micros) FROM ledger_entry WHERE account_id = $1)
      WHERE id = $1`,
    [accountId],
  );
  await query(
    "bench_spend",
    `INSERT INTO key_spend (key_id, account_id, month, spent_micros)
     SELECT key_id, $1, date_trunc('month', created_at AT TIME ZONE 'UTC')::date, sum(cost_micros)
       FROM usage_record WHERE account_id = $1 GROUP BY 1, 3`,
    [accountId],
  );
  await query(
    "bench_last_use",
    `UPDATE api_key k SET last_used_at = u.at
       FROM (SELECT key_id, max(created_at) AS at FROM usage_record WHERE account_id = $1 GROUP BY 1) u
      WHERE u.key_id = k.id`,
    [accountId],
  );
  for (const table of ["usage_record", "ledger_entry"]) {
    await execute(`VACUUM (ANALYZE) ${table}`);
  }
}
