import { describe, expect, it } from "vitest";
import { execute } from "@/lib/platform/db/client";
import { call, dispatch } from "@/lib/testing/api";
import { makeAccount, makeKey, makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { upstream } from "@/lib/testing/fake-upstream";
import { setLimit } from "@/lib/testing/set-limit";
import { deleteExpiredIdempotency } from "./write/idempotent";

const CHAT = "/v1/chat/completions";
const RESPONSES = "/v1/responses";

/** A body that the scripted model answers, whose text no other test has. */
function bodyOf(path: string, script: object, more: object = {}) {
  const content = `script:${JSON.stringify(script)}`;
  return path === CHAT
    ? { model: "scripted", messages: [{ role: "user", content }], ...more }
    : { model: "scripted", input: content, ...more };
}

async function send(key: string, path: string, body: object, idempotencyKey = "one") {
  const response = await dispatch(`http://localhost:3000${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${key}`,
      "idempotency-key": idempotencyKey,
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** How many requests with this text the upstream got. */
function askedWith(text: string): number {
  return upstream().seen.filter(({ body }) => JSON.stringify(body).includes(text)).length;
}

async function chargesOf(accountId: string): Promise<number> {
  const { rows } = await execute(
    "SELECT count(*)::integer AS charges FROM usage_record WHERE account_id = $1 AND cost_micros > 0",
    [accountId],
  );
  return Number(rows[0]?.charges);
}

async function codeOf(sending: ReturnType<typeof send>): Promise<string> {
  const { status, text } = await sending;
  expect(status).toBe(409);
  return JSON.parse(text).error.code;
}

/** Sends a request whose row stays as a process leaves it that dies once the charge is on disk. */
async function withoutKeeping(accountId: string, work: () => Promise<unknown>): Promise<void> {
  await execute(
    `CREATE FUNCTION fail_${accountId}() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''dead''; END'`,
    [],
  );
  await execute(
    `CREATE TRIGGER fail_${accountId} BEFORE UPDATE OF answer, lease_until ON idempotent_request
       FOR EACH ROW WHEN (OLD.account_id = '${accountId}') EXECUTE FUNCTION fail_${accountId}()`,
    [],
  );
  await work();
  await execute(`DROP FUNCTION fail_${accountId}() CASCADE`, []);
  await execute("UPDATE idempotent_request SET lease_until = 'epoch' WHERE account_id = $1", [
    accountId,
  ]);
}

describe.each([
  [CHAT, false],
  [CHAT, true],
  [RESPONSES, false],
  [RESPONSES, true],
])("requests with one Idempotency-Key to %s, streamed: %s", (path, stream) => {
  it("that arrive at once are asked, charged and answered as one", async () => {
    const { key, id } = await makeKeyedAccount();
    const text = `Eight at once, ${path} ${stream}.`;
    const body = bodyOf(path, { text, pieceMs: 5 }, { stream });
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(key, path, body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ text: sent }) => sent)).size).toBe(1);
    expect(answers[0]?.text).toContain(stream ? "Eight" : text);
    const replayed = answers.filter(({ headers }) => headers.get("idempotent-replayed") === "true");
    expect(replayed).toHaveLength(7);
    expect(new Set(answers.map(({ headers }) => headers.get("x-footnote-cost-usd"))).size).toBe(1);
    expect([askedWith(text), await chargesOf(id)]).toEqual([1, 1]);
    expect((await readMoney(id)).held).toBe(0n);
  });

  it("are answered with what was finished for a client that left", async () => {
    const { key, id } = await makeKeyedAccount();
    const text = `Left by its client, ${path} ${stream}.`;
    const body = bodyOf(path, { text, pieceMs: 20, delayMs: 50 }, { stream });
    const leave = new AbortController();
    const left = dispatch(`http://localhost:3000${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${key}`,
        "idempotency-key": "one",
      },
      body: JSON.stringify(body),
      signal: leave.signal,
    }).then(
      (response) => response.body?.cancel(),
      () => {},
    );
    await expect.poll(() => askedWith(text)).toBe(1);
    leave.abort();
    await left;
    const again = await send(key, path, body);
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
    expect([askedWith(text), await chargesOf(id)]).toEqual([1, 1]);
  });

  it("run anew after a failure", async () => {
    const { key, id } = await makeKeyedAccount();
    const body = bodyOf(path, { status: 400, error: `Refused ${path} ${stream}` }, { stream });
    for (const count of [1, 2]) {
      const failed = await send(key, path, body);
      expect(failed.status).toBeGreaterThanOrEqual(400);
      expect(failed.headers.get("idempotent-replayed")).toBeNull();
      expect(askedWith(`Refused ${path} ${stream}`)).toBe(count);
    }
    expect(await chargesOf(id)).toBe(0);
  });
});

describe("an Idempotency-Key", () => {
  it("is refused for another body and another endpoint, and is its API key's own", async () => {
    const { ctx, id } = await makeAccount();
    const [{ secret: key }, { secret: sibling }] = [await makeKey(ctx), await makeKey(ctx)];
    const first = await send(key, CHAT, bodyOf(CHAT, { text: "Mine." }));
    for (const [path, script] of [
      [CHAT, { text: "Another." }],
      [RESPONSES, { text: "Mine." }],
    ] as const) {
      const reused = await send(key, path, bodyOf(path, script));
      expect([reused.status, JSON.parse(reused.text).error.code]).toEqual([
        409,
        "idempotency_key_reused",
      ]);
    }
    const other = await send(sibling, CHAT, bodyOf(CHAT, { text: "Mine." }));
    expect(other.headers.get("idempotent-replayed")).toBeNull();
    expect(JSON.parse(other.text).id).not.toBe(JSON.parse(first.text).id);
    expect(await chargesOf(id)).toBe(2);
  });

  it.each(["", "a b", "ä", "x".repeat(256)])(
    "must be visible ASCII: %s",
    async (idempotencyKey) => {
      const { key } = await makeKeyedAccount();
      const { status } = await send(key, CHAT, bodyOf(CHAT, {}), idempotencyKey).catch(() => ({
        status: 400,
      }));
      expect(status).toBe(400);
    },
  );

  it("is free again when its process died, and after a day", async () => {
    const { key, id, keyId } = await makeKeyedAccount();
    await execute(
      `INSERT INTO idempotent_request (account_id, key_id, idempotency_key, request_hash, request_id, lease_until)
       VALUES ($1, $2, 'one', 'of a dead process', 'req_dead', now() - interval '1 s')`,
      [id, keyId],
    );
    const body = bodyOf(CHAT, { text: "Taken over." });
    expect((await send(key, CHAT, body)).headers.get("idempotent-replayed")).toBeNull();
    expect((await send(key, CHAT, body)).headers.get("idempotent-replayed")).toBe("true");
    await execute(
      "UPDATE idempotent_request SET created_at = now() - interval '25 h' WHERE account_id = $1",
      [id],
    );
    expect((await send(key, CHAT, body)).headers.get("idempotent-replayed")).toBeNull();
    await execute(
      "UPDATE idempotent_request SET created_at = now() - interval '25 h' WHERE account_id = $1",
      [id],
    );
    expect(await deleteExpiredIdempotency()).toBe(1);
  });

  it.each([
    ["is too long", () => setLimit("MAX_STORED_ANSWER_BYTES", 1024)],
    ["the account has no room for", () => setLimit("MAX_STORED_BYTES_PER_ACCOUNT", 8192)],
  ])("doesn't charge again for an answer that %s", async (reason, limit) => {
    limit();
    const { key, id } = await makeKeyedAccount();
    const text = `${reason} ${"long ".repeat(400)}`;
    const body = bodyOf(CHAT, { text });
    expect((await send(key, CHAT, body)).status).toBe(200);
    expect(await codeOf(send(key, CHAT, body))).toBe("idempotency_answer_lost");
    expect(await codeOf(send(key, CHAT, bodyOf(CHAT, {})))).toBe("idempotency_key_reused");
    expect([askedWith(text), await chargesOf(id)]).toEqual([1, 1]);
  });

  it.each([
    [CHAT, false],
    [CHAT, true],
    [RESPONSES, false],
    [RESPONSES, true],
  ])(
    "doesn't charge again when its process dies after the settlement: %s, streamed: %s",
    async (path, stream) => {
      const { key, id } = await makeKeyedAccount();
      const text = `Dies in between, ${path} ${stream}.`;
      const body = bodyOf(path, { text }, { stream });
      await withoutKeeping(id, () => send(key, path, body));
      expect(await codeOf(send(key, path, body))).toBe("idempotency_answer_lost");
      expect([askedWith(text), await chargesOf(id)]).toEqual([1, 1]);
      expect((await send(key, path, body, "two")).status).toBe(200);
    },
  );

  it("keeps nothing for requests without it", async () => {
    const { key, id } = await makeKeyedAccount();
    await call("POST", CHAT, { key, body: bodyOf(CHAT, { text: "Without." }) });
    const { rows } = await execute("SELECT 1 FROM idempotent_request WHERE account_id = $1", [id]);
    expect(rows).toEqual([]);
  });
});
