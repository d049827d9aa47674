import { describe, expect, it } from "vitest";
import { deleteExpiredCompletions } from "@/lib/answers/chat/write/delete-stored";
import { execute } from "@/lib/platform/db/client";
import { call, openai } from "@/lib/testing/api";
import { makeAccount, makeKey, makeKeyedAccount } from "@/lib/testing/factories";
import { upstream } from "@/lib/testing/fake-upstream";
import { setLimit } from "@/lib/testing/set-limit";

const ASKED = { model: "scripted", input: 'script:{"text":"The first answer."}' };

/** What a model was sent last with this text among it, as "role: text". */
function sentWith(text: string): string[] | undefined {
  return upstream()
    .seen.findLast(({ body }) => JSON.stringify(body).includes(text))
    ?.body.messages.map(({ role, content }) => `${role}: ${content}`);
}

async function makeResponse(more: object = {}) {
  const { key, ctx } = await makeKeyedAccount();
  const { status, json } = await call("POST", "/v1/responses", {
    key,
    body: { ...ASKED, ...more },
  });
  expect(status).toBe(200);
  return { key, ctx, id: json.id as string, store: json.store as boolean };
}

async function follow(key: string, id: string, input = "again"): Promise<[number, string?]> {
  const { status, json } = await call("POST", "/v1/responses", {
    key,
    body: { model: "scripted", input, previous_response_id: id },
  });
  return status === 200 ? [status] : [status, json.error.message];
}

async function refer(key: string, id: string): Promise<number> {
  const input = [
    { type: "item_reference", id: id.replace("resp_", "msg_") },
    { role: "user", content: "again by item" },
  ];
  return (await call("POST", "/v1/responses", { key, body: { model: "scripted", input } })).status;
}

describe("a response without 'store'", () => {
  it.each([
    ["left out", {}],
    ["null", { store: null }],
  ])("can be continued, turn after turn, and says that it isn't stored: %s", async (_n, more) => {
    const { key, id, store } = await makeResponse(more);
    expect(store).toBe(false);
    const client = openai(key);
    const second = await client.responses.create({
      model: "scripted",
      input: 'script:{"text":"The second."}',
      previous_response_id: id,
    });
    const third = await client.responses
      .stream({ model: "scripted", input: "the third question", previous_response_id: second.id })
      .finalResponse();
    expect(third).toMatchObject({ store: false, previous_response_id: second.id });
    expect(sentWith("the third question")).toEqual([
      `user: ${ASKED.input}`,
      "assistant: The first answer.",
      'user: script:{"text":"The second."}',
      "assistant: The second.",
      "user: the third question",
    ]);
    expect(await follow(key, third.id)).toEqual([200]);
    expect(await refer(key, third.id)).toBe(200);
  });

  it("can be read, listed, changed and deleted by nobody", async () => {
    const { key, id } = await makeResponse();
    const completion = id.replace("resp_", "chatcmpl-");
    for (const [method, path, body] of [
      ["GET", `/v1/responses/${id}`],
      ["GET", `/v1/responses/${id}/input_items`],
      ["DELETE", `/v1/responses/${id}`],
      ["GET", `/v1/chat/completions/${completion}`],
      ["GET", `/v1/chat/completions/${completion}/messages`],
      ["POST", `/v1/chat/completions/${completion}`, { metadata: {} }],
      ["DELETE", `/v1/chat/completions/${completion}`],
    ] as const) {
      expect([path, (await call(method, path, { key, body })).status]).toEqual([path, 404]);
    }
    expect((await call("GET", "/v1/chat/completions", { key })).json.data).toEqual([]);
    expect(await follow(key, id)).toEqual([200]);
  });

  it("can be referred to by no other key, of the same account or another", async () => {
    const { ctx } = await makeAccount();
    const { secret: own } = await makeKey(ctx);
    const { secret: sibling } = await makeKey(ctx);
    const { key: foreign } = await makeKeyedAccount();
    const { json } = await call("POST", "/v1/responses", { key: own, body: ASKED });
    for (const key of [sibling, foreign]) {
      expect(await follow(key, json.id)).toEqual([404, expect.stringContaining("one hour")]);
      expect(await refer(key, json.id)).toBe(404);
    }
    expect(await follow(own, json.id)).toEqual([200]);
  });

  it("is gone after the hour, and then deleted", async () => {
    const { key, id } = await makeResponse();
    const completion = id.replace("resp_", "chatcmpl-");
    const age = "UPDATE stored_completion SET expires_at = now() - interval '1 s' WHERE id = $1";
    await execute("ALTER TABLE stored_completion DISABLE TRIGGER stored_completion_immutable");
    await execute(age, [completion]);
    await execute("ALTER TABLE stored_completion ENABLE TRIGGER stored_completion_immutable");
    expect(await follow(key, id)).toEqual([404, expect.stringContaining("one hour")]);
    expect(await refer(key, id)).toBe(404);
    await deleteExpiredCompletions({ retentionDays: 0 });
    const { rows } = await execute("SELECT id FROM stored_completion WHERE id = $1", [completion]);
    expect(rows).toEqual([]);
  });

  it("with store false is kept nowhere", async () => {
    const { key, id } = await makeResponse({ store: false });
    expect(await follow(key, id)).toEqual([404, expect.stringContaining("'store': false")]);
    const { rows } = await execute("SELECT id FROM stored_completion WHERE id = $1", [
      id.replace("resp_", "chatcmpl-"),
    ]);
    expect(rows).toEqual([]);
  });

  it("is answered all the same when the account has no room, and then can't be referred to", async () => {
    setLimit("MAX_STORED_BYTES_PER_ACCOUNT", 2048);
    const { key, id } = await makeResponse();
    expect(await follow(key, id)).toEqual([404, expect.any(String)]);
  });

  it("takes up no room of stored answers", async () => {
    const { key } = await makeResponse({ input: "x".repeat(3000) });
    setLimit("MAX_STORED_BYTES_PER_ACCOUNT", 3000);
    const stored = await call("POST", "/v1/responses", { key, body: { ...ASKED, store: true } });
    expect(stored.status).toBe(200);
  });

  it("isn't kept after a failure", async () => {
    const { key, ctx } = await makeKeyedAccount();
    const input = 'script:{"status":500}';
    expect(
      (await call("POST", "/v1/responses", { key, body: { ...ASKED, input } })).status,
    ).not.toBe(200);
    const { rows } = await execute("SELECT id FROM stored_completion WHERE account_id = $1", [
      ctx.account.id,
    ]);
    expect(rows).toEqual([]);
  });
});
