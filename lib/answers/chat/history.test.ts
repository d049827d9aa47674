import type { ChatCompletionChunk, ChatCompletionCreateParamsStreaming } from "openai/resources";
import { describe, expect, it } from "vitest";
import { call, openai } from "@/lib/testing/api";
import { makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { upstream } from "@/lib/testing/fake-upstream";

const PATH = "/v1/chat/completions";
const QUESTION = "What are the symptoms of asthma?";

let named = 0;

/** A question with a script of its own, and what the upstream got for it. */
function script(content: object) {
  named += 1;
  const name = `history-${named}`;
  const user = {
    role: "user",
    content: `${QUESTION} script:${JSON.stringify({ ...content, name })}`,
  };
  const sent = () =>
    upstream().seen.findLast(({ body }) => JSON.stringify(body).includes(`\\"${name}\\"`))?.body;
  return { user, sent };
}

async function ask(messages: object[], extra: object = {}) {
  const { key, id } = await makeKeyedAccount();
  const body = { model: "scripted", messages, ...extra };
  return { ...(await call("POST", PATH, { key, body })), id };
}

const cited = { citations: { enabled: true } };

describe("an answer that comes back as history", () => {
  it("goes upstream without the fields that Footnote added, and with all others", async () => {
    const first = script({ text: "Asthma causes wheezing [1]." });
    const { json } = await ask([first.user], cited);
    const { message } = json.choices[0];
    expect(Object.keys(message)).toEqual(expect.arrayContaining(["annotations", "verification"]));
    const { citations, retrieval } = json;
    const { user, sent } = script({});
    const history = { ...message, citations, retrieval, warnings: [], reasoning_content: "Hm." };
    const { status } = await ask([first.user, history, user], cited);
    expect(status).toBe(200);
    expect(sent()?.messages.find(({ role }) => role === "assistant")).toEqual({
      role: "assistant",
      content: message.content,
      reasoning_content: "Hm.",
    });
  });

  it("keeps a refusal, and such fields of other roles", async () => {
    const { user, sent } = script({});
    const refused = { role: "assistant", content: null, refusal: "No." };
    const other = { ...user, annotations: [] };
    await ask([user, refused, other]);
    expect(sent()?.messages).toEqual([user, refused, other]);
  });
});

describe("a caller's system message beside sources", () => {
  it.each(["system", "developer"])("is joined into one %s message, unchanged", async (role) => {
    const { user, sent } = script({});
    await ask([{ role, content: "Be brief.\n[keep this]", name: "app" }, user], cited);
    const [first, ...others] = sent()?.messages ?? [];
    expect(first).toMatchObject({ role, name: "app" });
    expect(first?.content).toMatch(/numbered sources[\s\S]*application/);
    expect(first?.content.endsWith("\n\nBe brief.\n[keep this]")).toBe(true);
    expect(others.map((message) => message.role)).toEqual(["user"]);
    expect(others[0]?.content).toMatch(/<source id="1"[\s\S]*\n\nThe user's message:\n\n/);
    expect(others[0]?.content.endsWith(user.content)).toBe(true);
  });

  it("keeps its parts", async () => {
    const { user, sent } = script({});
    const part = { type: "text", text: "Be brief.", title: "Style" };
    await ask([{ role: "system", content: [part] }, user], cited);
    const content = sent()?.messages[0]?.content as unknown as object[];
    expect(content).toHaveLength(2);
    expect(content[1]).toEqual(part);
  });

  it("is left alone without citations", async () => {
    const { user, sent } = script({});
    const system = { role: "system", content: "Be brief." };
    await ask([system, user]);
    expect(sent()?.messages).toEqual([system, user]);
  });
});

describe("an upstream's error about a message", () => {
  const error = {
    message: "Unknown parameter: 'messages[1].bogus' ('body', 'messages', 1).",
    param: "messages[1].bogus",
  };

  it.each([false, true])("has the caller's positions, streamed: %s", async (stream) => {
    const { user } = script({ status: 400, error });
    const without = await ask([user], { stream });
    const { json } = await ask([user], { ...cited, stream });
    expect(without.json.error).toMatchObject(error);
    expect(json.error).toMatchObject({
      message: "Unknown parameter: 'messages[0].bogus' ('body', 'messages', 0).",
      param: "messages[0].bogus",
    });
  });

  it.each([
    ["messages[1].content[2].image_url", "messages[0].content[1].image_url"],
    ["messages.1.content.1.text", "messages.0.content.0.text"],
    [
      "('body', 'messages', 1, 'content', 1, 'text')",
      "('body', 'messages', 0, 'content', 0, 'text')",
    ],
    ["messages[1].content", "messages[0].content"],
  ])("has the caller's positions of parts: %s", async (theirs, callers) => {
    const { user } = script({ status: 400, error: { message: `Wrong: ${theirs}` } });
    const image = { type: "image_url", image_url: { url: "https://example.org/a.png" } };
    const parts = { role: "user", content: [{ type: "text", text: user.content }, image] };
    const { json } = await ask([parts], cited);
    expect(json.error.message).toBe(`Wrong: ${callers}`);
  });

  it("isn't renumbered when no message was added", async () => {
    const { user } = script({ status: 400, error });
    const { json } = await ask([{ role: "system", content: "Be brief." }, user], cited);
    expect(json.error).toMatchObject(error);
  });
});

describe("an upstream that", () => {
  it("answers without a choice has failed, and costs nothing", async () => {
    const { user } = script({ choices: [] });
    const { status, json, id } = await ask([user]);
    expect([status, json.error.code]).toEqual([502, "upstream_error"]);
    expect(await readMoney(id)).toMatchObject({ balance: 5_000_000n, held: 0n });
  });

  it.each([
    [429, { message: "You exceeded your current quota.", code: "insufficient_quota" }],
    [429, { message: "You exceeded your current quota.", type: "insufficient_quota" }],
    [402, { message: "Insufficient credits." }],
  ])("has no quota left for the operator isn't the caller's rate limit: %i", async (...failure) => {
    const [status, error] = failure;
    const { user } = script({ status, error });
    const found = await ask([user]);
    expect([found.status, found.json.error.code]).toEqual([502, "upstream_error"]);
    expect(found.json.error.message).toMatch(/quota.*operator/);
    expect(found.headers.get("x-should-retry")).toBe("false");
  });
});

describe("the fields that OpenAI's clients expect", () => {
  it("include `refusal` in an answer without a passage", async () => {
    const { user } = script({});
    const { json } = await ask([user], {
      citations: { enabled: true, min_score: 1, on_empty: "say_so" },
    });
    expect(json.choices[0].message).toMatchObject({ refusal: null });
  });

  it.each(["scripted", "footnote-extract-1"])(
    "include `usage: null` in every chunk of %s but the last, if asked for usage",
    async (model) => {
      const { user } = script({ text: "Asthma causes wheezing [1]." });
      const chunksOf = async (extra: object) => {
        const { key } = await makeKeyedAccount();
        const stream = await openai(key).chat.completions.create({
          model,
          messages: [user],
          stream: true,
          ...cited,
          ...extra,
        } as ChatCompletionCreateParamsStreaming);
        const chunks: ChatCompletionChunk[] = [];
        for await (const chunk of stream) {
          chunks.push(chunk);
        }
        return chunks;
      };
      const asked = await chunksOf({ stream_options: { include_usage: true } });
      expect(asked.pop()?.usage?.total_tokens).toBeGreaterThan(0);
      expect(asked.map(({ usage }) => usage)).toEqual(asked.map(() => null));
      expect((await chunksOf({})).filter((chunk) => "usage" in chunk)).toEqual([]);
    },
  );
});
