import "server-only";

import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "@/lib/errors";
import { costHeaders } from "@/lib/money/billing/money";
import { wasCharged } from "@/lib/money/billing/read/balance";
import type { KeyContext } from "@/lib/platform/auth/context";
import { query } from "@/lib/platform/db/client";
import { drainInBatches } from "@/lib/platform/db/drain-in-batches";
import { env } from "@/lib/platform/env";
import { Reply } from "@/lib/platform/http/route";
import { trackRequest } from "@/lib/platform/http/shutdown";
import { EventStream } from "@/lib/platform/http/sse";
import { log } from "@/lib/platform/log";

/** A process that dies stops renewing it. */
const LEASE_SECONDS = 30;
const RENEW_MS = (LEASE_SECONDS / 3) * 1000;
const POLL_MS = 250;
/** How long a request waits for the same one that still runs. */
const WAIT_MS = 100_000;
const KEPT_HOURS = 24;
/** Of an account's bytes of stored answers, beside these. */
const SHARE = 1 / 8;
const DELETE_BATCH = 500;
const COST = "x-footnote-cost-usd";
const REPLAYED = { "idempotent-replayed": "true" };

interface Idempotent {
  /** Null for requests without the header, which cost nothing here. */
  idempotencyKey: string | null;
  endpoint: string;
  body: { stream?: boolean | null | undefined };
}

interface Found {
  request_id: string;
  request_hash: string;
  /** Whether it has ended without an answer that could be kept, or its process has. */
  is_over: boolean;
  answer: string | null;
  cost_usd: string | null;
}

type Answer = Reply | EventStream;

/**
 * Answers equal requests of one key with one answer, charged once: the second waits for the first, and both get the
 * same. It is completed even if its client leaves. Failures aren't kept. Throws idempotency_key_reused for another body,
 * and idempotency_answer_lost instead of charging again.
 */
export async function answerOnce(
  ctx: KeyContext,
  { idempotencyKey, endpoint, body }: Idempotent,
  run: (ctx: KeyContext) => Promise<Answer>,
): Promise<Answer> {
  if (idempotencyKey === null) {
    return run(ctx);
  }
  const hash = createHash("sha256")
    .update(JSON.stringify([endpoint, body]))
    .digest("hex");
  const claim = new Claim(ctx, idempotencyKey, hash);
  const found = await claim.takeOrWait();
  if (found) {
    return replay(found, body.stream === true);
  }
  const alone = new AbortController();
  const untrack = trackRequest(alone);
  const end = async (answer: string | null, costUsd: string | null = null) => {
    untrack();
    await claim.end(answer, costUsd);
  };
  try {
    const answered = await run({ ...ctx, signal: alone.signal });
    if (answered instanceof Reply) {
      await end(JSON.stringify(answered.value), answered.headers[COST]);
      return answered;
    }
    return readOnAlone(answered, end);
  } catch (thrown) {
    await end(null);
    throw thrown;
  }
}

function replay({ answer, cost_usd: cost }: Found & { answer: string }, isStream: boolean): Answer {
  if (isStream) {
    const write = (text: unknown) => String(text);
    return new EventStream(eventsOf(answer), { write, fail: () => "", end: "" }, REPLAYED);
  }
  return new Reply(JSON.parse(answer), { ...REPLAYED, ...(cost !== null && costHeaders(cost)) });
}

async function* eventsOf(answer: string): AsyncGenerator<string> {
  yield answer;
}

/** Reads a stream to its end, whether or not anyone reads the result. */
function readOnAlone(
  { events, format }: EventStream,
  end: (answer: string | null) => Promise<void>,
): EventStream {
  const texts: string[] = [];
  let more = Promise.withResolvers<void>();
  let isDone = false;
  const wake = () => {
    more.resolve();
    more = Promise.withResolvers();
  };
  const reading = (async () => {
    for await (const event of events) {
      texts.push(format.write(event));
      wake();
    }
    await end(texts.join("") + format.end);
  })()
    .catch(async (thrown: unknown) => {
      await end(null);
      throw thrown;
    })
    .finally(() => {
      isDone = true;
      wake();
    });
  // The client may have left.
  reading.catch(() => {});
  async function* follow(): AsyncGenerator<string> {
    for (let index = 0; ; index += 1) {
      while (index >= texts.length) {
        if (isDone) {
          return reading;
        }
        await more.promise;
      }
      yield texts[index] ?? "";
    }
  }
  return new EventStream(follow(), { ...format, write: String });
}

/** One Idempotency-Key of one key, while its request runs. */
class Claim {
  readonly #id: unknown[];
  #renewal: NodeJS.Timeout | undefined;

  constructor(
    readonly ctx: KeyContext,
    idempotencyKey: string,
    readonly hash: string,
  ) {
    this.#id = [ctx.account.id, ctx.actor.id, idempotencyKey];
  }

  /** The answer of an equal request; null when this one is to run. Throws as `answerOnce` does, and after WAIT_MS. */
  async takeOrWait(): Promise<(Found & { answer: string }) | null> {
    /** The request whose key may be taken over. */
    let free: string | null = null;
    for (let waited = 0; waited < WAIT_MS; waited += POLL_MS) {
      if (await this.#take(free)) {
        this.#renewal = setInterval(() => void this.#renew(), RENEW_MS).unref();
        return null;
      }
      const found = await this.#find();
      free = found ? await this.#freeOf(found) : null;
      if (found && free === null) {
        const answer = this.#answerOf(found);
        if (answer !== null) {
          return { ...found, answer };
        }
        await sleep(POLL_MS, null, { signal: this.ctx.signal });
      }
    }
    throw new AppError(
      "service_unavailable",
      "The first request with this Idempotency-Key is still being answered. Send it again with the same key.",
      { headers: { "retry-after": "5" } },
    );
  }

  /** Its request, if it has ended without a charge. */
  async #freeOf({ is_over, request_id }: Found): Promise<string | null> {
    return is_over && !(await wasCharged(this.ctx.account.id, request_id)) ? request_id : null;
  }

  /** Null while the request runs. */
  #answerOf({ request_hash, answer, is_over }: Found): string | null {
    if (request_hash !== this.hash) {
      throw new AppError(
        "idempotency_key_reused",
        "This Idempotency-Key was already used with a different body. Send the same body again, or use another key.",
        { param: "idempotency-key" },
      );
    }
    if (is_over) {
      throw new AppError(
        "idempotency_answer_lost",
        "The first request with this Idempotency-Key was charged, but its answer wasn't kept: it was too long, or the server stopped. To pay for a new answer, send the request with another key.",
        { param: "idempotency-key" },
      );
    }
    return answer;
  }

  /** Keeps the answer for a day, if there is room for it, or ends the lease, so that the key is free if nothing was charged. Never fails. */
  async end(answer: string | null, costUsd: string | null): Promise<void> {
    clearInterval(this.#renewal);
    const bytes = answer === null ? 0 : Buffer.byteLength(answer);
    const isKept = answer !== null && bytes <= env.MAX_STORED_ANSWER_BYTES;
    try {
      const [kept] = isKept ? await this.#keep({ answer, costUsd, bytes }) : [];
      if (!kept) {
        await query(
          "chat_end_idempotency",
          `UPDATE idempotent_request SET lease_until = 'epoch' ${MINE}`,
          this.#mine(),
        );
      }
    } catch (cause) {
      log.warn(
        { err: cause, request_id: this.ctx.requestId },
        "answer not kept for its repetition",
      );
    }
  }

  #mine(): unknown[] {
    return [...this.#id, this.ctx.requestId];
  }

  /** `free`: the request that it may be taken over from. */
  async #take(free: string | null): Promise<boolean> {
    const taken = await query(
      "chat_claim_idempotency",
      `INSERT INTO idempotent_request AS r (account_id, key_id, idempotency_key, request_id, person_id, request_hash, lease_until)
       VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))
       ON CONFLICT (account_id, key_id, idempotency_key) DO UPDATE
          SET request_id = excluded.request_id, request_hash = excluded.request_hash, lease_until = excluded.lease_until,
              answer = NULL, cost_usd = NULL, bytes = 0, created_at = now()
        WHERE (r.answer IS NULL AND r.lease_until < now() AND r.request_id = $9)
           OR r.created_at < now() - make_interval(hours => $8)
       RETURNING request_id`,
      [...this.#mine(), this.ctx.actor.personId, this.hash, LEASE_SECONDS, KEPT_HOURS, free],
    );
    return taken.length > 0;
  }

  async #find(): Promise<Found | undefined> {
    const [found] = await query<Found & Record<string, unknown>>(
      "chat_find_idempotency",
      `SELECT request_id, request_hash, answer, cost_usd, answer IS NULL AND lease_until < now() AS is_over FROM idempotent_request
        WHERE account_id = $1 AND key_id = $2 AND idempotency_key = $3`,
      this.#id,
    );
    return found;
  }

  #renew(): Promise<unknown> {
    return query(
      "chat_renew_idempotency",
      `UPDATE idempotent_request SET lease_until = now() + make_interval(secs => $5) ${MINE}`,
      [...this.#mine(), LEASE_SECONDS],
    ).catch((cause: unknown) =>
      log.warn({ err: cause }, "lease of an Idempotency-Key not renewed"),
    );
  }

  #keep({ answer, costUsd, bytes }: { answer: string; costUsd: string | null; bytes: number }) {
    const most = Math.floor(env.MAX_STORED_BYTES_PER_ACCOUNT * SHARE);
    return query(
      "chat_keep_idempotency",
      `UPDATE idempotent_request SET answer = $5, cost_usd = $6, bytes = $7::integer ${MINE}
          AND $7::integer + (SELECT coalesce(sum(bytes), 0) FROM idempotent_request WHERE account_id = $1) <= $8
       RETURNING request_id`,
      [...this.#mine(), answer, costUsd, bytes, most],
    );
  }
}

const MINE =
  "WHERE account_id = $1 AND key_id = $2 AND idempotency_key = $3 AND request_id = $4 AND answer IS NULL";

/** Returns how many. */
export function deleteExpiredIdempotency(): Promise<number> {
  return drainInBatches(DELETE_BATCH, async () => {
    const gone = await query(
      "chat_delete_idempotency",
      `DELETE FROM idempotent_request WHERE (account_id, key_id, idempotency_key) IN (
         SELECT account_id, key_id, idempotency_key FROM idempotent_request
          WHERE created_at < now() - make_interval(hours => $1) LIMIT $2)
       RETURNING request_id`,
      [KEPT_HOURS, DELETE_BATCH],
    );
    return gone.length;
  });
}
