import "server-only";

import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";
import { accountPurge } from "@/lib/platform/db/account-purge";
import { Batcher } from "@/lib/platform/db/batcher";
import { query } from "@/lib/platform/db/client";
import { drainInBatches } from "@/lib/platform/db/drain-in-batches";
import { env } from "@/lib/platform/env";
import type { Refusal } from "@/lib/platform/http/refusals";
import { log } from "@/lib/platform/log";
import { processSingleton } from "@/lib/singleton";

/** What one process records at most. A loop that is refused all day must not fill the disk. */
const PER_KEY_AND_MINUTE = 30;
const PER_ACCOUNT_AND_HOUR = 300;
/** The newest of an account that the hourly sweep keeps. */
const KEPT_PER_ACCOUNT = 10_000;
/** Shorter than usage records are kept, unless those expire sooner. */
const KEPT_DAYS = 30;

/** A message may name a field or a model that the caller chose. */
const MAX_MESSAGE = 500;
const MAX_NAME = 200;
/** Keys with unrecorded refusals to remember the count of. */
const MAX_COUNTED_KEYS = 10_000;

type Recorded = Refusal & { skipped: number };

const limits = processSingleton("refusal limits", () => ({
  byKey: new RateLimiterMemory({ points: PER_KEY_AND_MINUTE, duration: 60 }),
  byAccount: new RateLimiterMemory({ points: PER_ACCOUNT_AND_HOUR, duration: 3600 }),
  skipped: new Map<string, number>(),
}));

const batcher = processSingleton("refused requests", () => new Batcher<Recorded, void>(insertAll));

/** Records a refused request in the background, or only counts it when its key or account was refused too often. */
export function recordRefusal(refusal: Refusal): void {
  record(refusal).catch((cause: unknown) =>
    log.warn({ err: cause, request_id: refusal.requestId }, "refused request not recorded"),
  );
}

async function record(refusal: Refusal): Promise<void> {
  const { key_id, account_id } = refusal;
  const isWithin =
    (await isAllowed(limits.byKey, key_id)) && (await isAllowed(limits.byAccount, account_id));
  const skipped = limits.skipped.get(key_id) ?? 0;
  if (isWithin) {
    limits.skipped.delete(key_id);
    await batcher.run("all", { ...refusal, skipped });
  } else if (skipped > 0 || limits.skipped.size < MAX_COUNTED_KEYS) {
    limits.skipped.set(key_id, skipped + 1);
  }
}

function isAllowed(limiter: RateLimiterMemory, name: string): Promise<boolean> {
  return limiter.consume(name).then(
    () => true,
    (full: RateLimiterRes | Error) => {
      if (full instanceof Error) {
        throw full;
      }
      return false;
    },
  );
}

async function insertAll(_: string, refused: readonly Recorded[]): Promise<undefined[]> {
  const column = (pick: (one: Recorded) => string | number | null) => refused.map(pick);
  await query(
    "usage_record_refusals",
    `INSERT INTO refused_request (id, account_id, key_id, endpoint, model, status, code, message, param, latency_ms, skipped)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::int[], $7::text[], $8::text[],
                          $9::text[], $10::int[], $11::int[])`,
    [
      column(({ requestId }) => requestId),
      column(({ account_id }) => account_id),
      column(({ key_id }) => key_id),
      column(({ endpoint }) => endpoint),
      column(({ model }) => model),
      column(({ status }) => status),
      column(({ error }) => error.code),
      column(({ error }) => toStored(error.message, MAX_MESSAGE)),
      column(({ error }) => error.param && toStored(error.param, MAX_NAME)),
      column(({ latencyMs }) => latencyMs),
      column(({ skipped }) => skipped),
    ],
  );
  return refused.map(() => undefined);
}

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
function toStored(text: string, length: number): string {
  return text.slice(0, length).replaceAll("\0", "").toWellFormed();
}

/** Deletes expired refusals, and the oldest of accounts that have too many. Returns how many. */
export async function deleteExpiredRefusals({
  days = env.USAGE_RETENTION_DAYS ? Math.min(KEPT_DAYS, env.USAGE_RETENTION_DAYS) : KEPT_DAYS,
  kept = KEPT_PER_ACCOUNT,
  batchSize = 5000,
} = {}): Promise<number> {
  const remove = (name: string, rows: string, values: number[]) =>
    drainInBatches(batchSize, async () => {
      const [row] = await query<{ count: number }>(
        `usage_delete_${name}`,
        `WITH old AS (${rows}), gone AS (
           DELETE FROM refused_request r USING old o WHERE r.id = o.id AND r.account_id = o.account_id RETURNING r.id)
         SELECT count(*)::integer AS count FROM gone`,
        [...values, batchSize],
      );
      return row?.count ?? 0;
    });
  const expired = await remove(
    "expired_refusals",
    `SELECT id, account_id FROM refused_request
      WHERE created_at < now() - make_interval(hours => 24 * $1) LIMIT $2`,
    [days],
  );
  const surplus = await remove(
    "surplus_refusals",
    `SELECT o.id, o.account_id
       FROM (SELECT account_id FROM refused_request GROUP BY account_id HAVING count(*) > $1) AS a
            CROSS JOIN LATERAL (SELECT id, account_id FROM refused_request WHERE account_id = a.account_id
                                 ORDER BY created_at DESC, id DESC OFFSET $1) AS o
      LIMIT $2`,
    [kept],
  );
  return expired + surplus;
}

/** Deletes the account's refused requests: their messages may name what the caller sent. */
export const purgeAccountRefusals = accountPurge({
  usage_purge_refusals: "DELETE FROM refused_request WHERE account_id = $1",
});
