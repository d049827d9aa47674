import fc from "fast-check";
import type OpenAI from "openai";
import { beforeAll, describe, expect, it } from "vitest";
import type { UrlCitation } from "@/lib/answers/citations/schema";
import type { Collection } from "@/lib/library/documents/collections";
import { findQuoteLinker } from "@/lib/library/documents/quote-link";
import { db } from "@/lib/platform/db/client";
import { call, openai } from "@/lib/testing/api";
import { keyContext, makeAccount, makeKey } from "@/lib/testing/factories";
import { indexText } from "@/lib/testing/index-text";
import { signedIn } from "@/lib/testing/session";
import { openLink } from "./read";

const TEXT = "Quibblezol lowers glimmerosis within 7 days.";
const QUESTION = "What does quibblezol lower?";

async function makeSharer() {
  const { ctx } = await makeAccount();
  const headers = await signedIn(ctx.actor.id);
  const share = (is_enabled: boolean) =>
    call("POST", "/api/settings/sharing", { headers, body: { is_enabled } });
  await share(true);
  const accountId = ctx.account.id;
  const own: Collection = {
    id: `customer_kb:${accountId}`,
    scope: "customer_kb",
    accountId,
    personId: null,
  };
  const [key, documentId] = [await makeKey(ctx), await indexText(own, TEXT)];
  return { ctx, headers, share, key, documentId };
}

function body(citations: object = {}, script: object = { text: "It lowers glimmerosis [1]." }) {
  return {
    model: "scripted",
    messages: [{ role: "user" as const, content: `${QUESTION} script:${JSON.stringify(script)}` }],
    citations: {
      ...{ enabled: true, min_score: 0, query: { text: QUESTION } },
      ...{ sources: ["customer_kb"], render: "links", ...citations },
    },
  };
}

async function ask(key: string, citations: object = {}) {
  const { status, json } = await call("POST", "/v1/chat/completions", {
    key,
    body: body(citations),
  });
  expect(status).toBe(200);
  const { content, annotations } = json.choices[0].message;
  return { json, content: String(content), annotations: annotations as UrlCitation[] };
}

const LINK = /http:\/\/localhost:3000\/s\/([\w-]+)/;

function tokenIn(text: string): string {
  return LINK.exec(text)?.[1] ?? "";
}

describe("links to passages of the account's own documents in an answer", () => {
  let sharer: Awaited<ReturnType<typeof makeSharer>>;
  beforeAll(async () => {
    sharer = await makeSharer();
  });

  it("show anyone the passage and nothing else", async () => {
    const { content, annotations } = await ask(sharer.key.secret);
    expect(content).toMatch(
      /^It lowers glimmerosis \[\[1\]\]\(http:\/\/localhost:3000\/s\/[\w-]+\)/,
    );
    expect(content).toContain(annotations[0]?.url_citation.url);
    expect(content).not.toContain(TEXT);
    expect(await openLink(tokenIn(content))).toMatchObject({
      kind: "quote",
      document: { id: sharer.documentId },
      quote: { status: "current", text: TEXT },
    });
  });

  it("are the same in a stream, in footnotes and in a response", async () => {
    const { secret } = sharer.key;
    const token = tokenIn((await ask(secret)).content);
    for (const citations of [{}, { render: "footnotes", numbering: "appearance" }]) {
      const plain = await ask(secret, citations);
      const stream = await openai(secret).chat.completions.create({
        ...body(citations),
        stream: true,
      } as OpenAI.ChatCompletionCreateParamsStreaming);
      let text = "";
      for await (const { choices } of stream) {
        text += choices[0]?.delta.content ?? "";
      }
      expect(text).toBe(plain.content);
      expect(tokenIn(text)).toBe(token);
    }
    const { messages, ...rest } = body();
    const { json } = await call("POST", "/v1/responses", {
      key: secret,
      body: { ...rest, input: messages[0]?.content },
    });
    const [part] = json.output.at(-1).content;
    expect(tokenIn(part.text)).toBe(token);
    expect(part.annotations).toMatchObject([
      { type: "file_citation", file_id: sharer.documentId },
      { type: "url_citation", url: expect.stringContaining(token) },
    ]);
  });

  it("lead members to the console while an owner hasn't allowed sharing", async () => {
    const { key, share, documentId } = await makeSharer();
    const token = tokenIn((await ask(key.secret)).content);
    await share(false);
    const { content } = await ask(key.secret);
    expect(content).toContain(`(http://localhost:3000/documents/${documentId}?quote=`);
    expect(await openLink(token)).toBeNull();
    await share(true);
    expect(await openLink(token)).not.toBeNull();
  });

  it.each<[string, (made: Awaited<ReturnType<typeof makeSharer>>) => Promise<unknown>]>([
    [
      "the key is revoked",
      ({ key, headers }) => call("POST", `/api/keys/${key.id}/revoke`, { headers, body: {} }),
    ],
    [
      "the key expires",
      ({ key }) =>
        db().apiKey.updateMany({
          where: { id: key.id },
          data: { expiresAt: new Date(Date.now() - 1000) },
        }),
    ],
    [
      "the key may no longer read the document",
      ({ key }) =>
        db().apiKey.updateMany({
          where: { id: key.id },
          data: { knowledgeScopes: ["public_kb"] },
        }),
    ],
    [
      "the document is deleted",
      ({ documentId, headers }) => call("DELETE", `/api/documents/${documentId}`, { headers }),
    ],
    [
      "the account is closed",
      ({ ctx }) =>
        db().account.updateMany({ where: { id: ctx.account.id }, data: { closedAt: new Date() } }),
    ],
  ])("stop opening when %s", async (_name, end) => {
    const made = await makeSharer();
    const token = tokenIn((await ask(made.key.secret)).content);
    expect(await openLink(token)).not.toBeNull();
    await end(made);
    expect(await openLink(token)).toBeNull();
  });

  it("never open another account's or another person's document", async () => {
    const other = await makeSharer();
    const [one, two] = await Promise.all(
      ["patient-1", "patient-2"].map((person) =>
        makeKey(sharer.ctx, { knowledge_scopes: ["personal_kb"], person }),
      ),
    );
    const { personId } = await db().apiKey.findFirstOrThrow({ where: { id: one?.id ?? "" } });
    const personal: Collection = {
      ...{ id: `personal_kb:${personId}`, scope: "personal_kb" },
      ...{ accountId: sharer.ctx.account.id, personId },
    };
    const documentId = await indexText(personal, TEXT);
    const quote = { text: TEXT, start: 0, end: TEXT.length };
    const open = async (keyId: string | undefined, id: string) => {
      const linkOf = await findQuoteLinker(keyContext(sharer.ctx, { id: keyId ?? "" }));
      return openLink(tokenIn(linkOf?.(id, quote) ?? ""));
    };
    expect(await open(one?.id, documentId)).toMatchObject({ quote: { text: TEXT } });
    expect(await open(two?.id, documentId)).toBeNull();
    expect(await open(sharer.key.id, documentId)).toBeNull();
    expect(await open(one?.id, sharer.documentId)).toBeNull();
    expect(await open(sharer.key.id, other.documentId)).toBeNull();
  });

  it("open with every character as signed, and nothing else does", async () => {
    const token = tokenIn((await ask(sharer.key.secret)).content);
    const characters = [..."0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"];
    const changed = fc
      .tuple(fc.nat(token.length - 1), fc.constantFrom(...characters))
      .filter(([at, character]) => token[at] !== character)
      .map(([at, character]) => token.slice(0, at) + character + token.slice(at + 1));
    const cut = fc.nat(token.length - 1).map((length) => token.slice(0, length));
    const longer = fc.string({ unit: "binary", minLength: 1 }).map((rest) => token + rest);
    const any = fc.oneof(changed, cut, longer, fc.string({ unit: "binary" }));
    await fc.assert(
      fc.asyncProperty(any, async (hostile) => {
        expect(await openLink(hostile)).toBeNull();
      }),
      { numRuns: 500 },
    );
  });

  it("aren't made for the console's own keys", async () => {
    const actor = { id: `key_playground_company_${sharer.ctx.actor.id}` };
    expect(await findQuoteLinker(keyContext(sharer.ctx, actor))).toBeNull();
  });
});
