import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeAccount } from "@/lib/operations/accounts/write";
import { query } from "@/lib/platform/db/client";
import { asSystem } from "@/lib/platform/db/tenant-context";
import { makeAccount, makeKey } from "@/lib/testing/factories";
import { embedWithFake } from "@/lib/testing/fake-embedder";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";
import { type Answer, expectError, expectNoLeak, expectUnchanged, send } from "./attempts";
import { createFixture, type Fixture, stopClocks, TOPIC } from "./fixtures";
import { withoutPredicates } from "./without-predicates";

const endpoint = "POST /mcp";

/** Messages that could return the victim's documents, by what they name: nothing, a document or a passage. */
const MESSAGES: Record<string, (ids: { document: string; passage: string }) => object> = {
  search: () => tool("search", { query: TOPIC }),
  ask: () => tool("ask", { question: TOPIC, model: "footnote-extract-1" }),
  verify: () => tool("verify", { text: `The ${TOPIC} takes place on Tuesdays.` }),
  "fetch of a document": ({ document }) => tool("fetch", { id: document }),
  "fetch of a passage": ({ passage }) => tool("fetch", { id: passage }),
  "verify with a passage": ({ passage }) =>
    tool("verify", { text: `${TOPIC} [1].`, sources: [{ chunk_id: passage }] }),
  "a document's resource": ({ document }) => resource(`footnote://documents/${document}`),
  "a passage's resource": ({ passage }) => resource(`footnote://passages/${passage}`),
};
const names = Object.keys(MESSAGES);

function tool(name: string, args: object) {
  return { method: "tools/call", params: { name, arguments: args } };
}

function resource(uri: string) {
  return { method: "resources/read", params: { uri } };
}

let victim: Fixture;
let attacker: string;
let other: string;
let bound: string;
let passages: Record<"shared" | "personal", string>;

beforeAll(async () => {
  embedWithFake();
  await startBackgroundWork();
  victim = await createFixture();
  await stopBackgroundWork();
  attacker = (await makeKey((await makeAccount()).ctx)).secret;
  const knowledge_scopes = ["customer_kb", "personal_kb"] as ("customer_kb" | "personal_kb")[];
  other = (await makeKey(victim.ctx, { knowledge_scopes, person: "patient-2" })).secret;
  const store = await send(
    { key: victim.key },
    { endpoint: "POST /v1/vector_stores", attempt: { body: { name: "empty" } }, victim },
  );
  bound = (await makeKey(victim.ctx, { stores: [String(store.json?.id)] })).secret;
  passages = {
    shared: await passageOf(victim.ids.document),
    personal: await passageOf(victim.personal.document),
  };
  await stopClocks();
});
afterAll(() => closeAccount(victim.ctx, { confirmation: victim.secret }));

async function passageOf(documentId: string): Promise<string> {
  const [row] = await asSystem(() =>
    query<{ id: string }>("test_passage", "SELECT id FROM chunk WHERE document_id = $1 LIMIT 1", [
      documentId,
    ]),
  );
  return row?.id ?? "";
}

function post(key: string, name: string, whose: "shared" | "personal" = "shared"): Promise<Answer> {
  const document = whose === "shared" ? victim.ids.document : victim.personal.document;
  const message = MESSAGES[name]?.({ document, passage: passages[whose] });
  const headers = { accept: "application/json, text/event-stream" };
  const body = { jsonrpc: "2.0", id: 1, ...message };
  return send({ key }, { endpoint, attempt: { body, headers }, victim });
}

describe.each(names)("%s at /mcp", (name) => {
  it("reaches the account's own documents", async () => {
    const { text } = await post(victim.key, name);
    expect(text).toMatch(new RegExp(`${victim.secret}|${victim.ids.document}`));
  });

  it("requires a key", async () => {
    const answer = await expectUnchanged(victim, () => post("", name));
    expectError(answer, 401, "missing_api_key");
  });

  it("leaks nothing to another account, with and without the application's predicates", async () => {
    const send = () => expectUnchanged(victim, () => post(attacker, name));
    for (const answer of [await send(), (await withoutPredicates(send)).result]) {
      expect(answer.text).not.toContain(victim.secret);
      expectNoLeak({ ...answer, text: withoutEcho(answer.text) }, victim);
    }
  });

  it("leaks nothing personal to a key of another person", async () => {
    expect((await post(victim.personalKey, name, "personal")).text).toContain(victim.secret);
    const { text } = await post(other, name, "personal");
    expect(withoutEcho(text)).not.toContain(victim.personal.document);
  });

  it("leaks nothing to a key that is bound to another store", async () => {
    const { text } = await post(bound, name);
    expect(text).not.toContain(victim.secret);
    expect(withoutEcho(text)).not.toContain(victim.ids.document);
  });
});

/** Without the URI that a message itself named. */
function withoutEcho(text: string): string {
  return text.replaceAll(/footnote:\/\/\w+\/\w+/g, "");
}
