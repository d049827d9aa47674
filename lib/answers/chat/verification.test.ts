import type OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Citation, UrlCitation, Verification } from "@/lib/answers/citations/schema";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { encodePages, packBoxes } from "@/lib/reading/page-boxes";
import { call, openai } from "@/lib/testing/api";
import { lastUsage, makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { upstream } from "@/lib/testing/fake-upstream";
import { scriptVerifier } from "@/lib/testing/fake-upstream-verifier";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";

type Chat = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming;
interface CitedMessage {
  content: string;
  annotations?: UrlCitation[];
  verification?: Verification;
}
interface Answer {
  message: CitedMessage;
  citations?: (Citation & { metadata: { cited?: boolean } })[];
  usage: { cost_usd: string; total_tokens: number };
}

const QUESTION = "How much amoxicillin do adults take?";
const TEXT =
  "Adults take 500 mg of amoxicillin 3 times a day. Amoxicillin is contraindicated in penicillin allergy.";
const OTHER = "Adults take 875 mg of amoxicillin 3 times a day, a second handbook says.";

let account: { id: string; key: string };

afterAll(() => stopBackgroundWork());

beforeAll(async () => {
  await startBackgroundWork();
  account = await makeKeyedAccount({
    scopes: ["chat:completions", "kb:search", "kb:documents:write", "kb:documents:read"],
    knowledge_scopes: ["customer_kb"],
    models: ["scripted", "footnote-extract-1"],
  });
  for (const [title, text] of [
    ["Handbook", TEXT],
    ["Second handbook", OTHER],
  ]) {
    const body = { scope: "customer_kb", title, text };
    const upload = await call("POST", "/v1/kb/documents", { key: account.key, body });
    const job = `/v1/kb/jobs/${upload.json.job_id}?wait=20`;
    const { json } = await call("GET", job, { key: account.key });
    expect(json.status).toBe("completed");
  }
}, 60_000);

/** The source numbers of the two handbooks, which depend on the search's ranking. */
let ids: { first: number; second: number } | null = null;

async function sourceIds() {
  if (!ids) {
    const { citations = [] } = await ask(() => "Nothing.");
    const idOf = (title: string) => citations.find((one) => one.title === title)?.id ?? 0;
    ids = { first: idOf("Handbook"), second: idOf("Second handbook") };
    expect([ids.first, ids.second].toSorted()).toEqual([1, 2]);
  }
  return ids;
}

type Write = (ids: { first: number; second: number }) => string;

async function requestFor(write: Write, asked: object, extra: object): Promise<Chat> {
  const text = write(ids ?? { first: 1, second: 2 });
  const script = `script:${JSON.stringify({ text, pieceMs: 0 })}`;
  return {
    model: "scripted",
    messages: [{ role: "user", content: `${QUESTION} ${script}` }],
    citations: { enabled: true, min_score: 0, ...asked },
    ...extra,
  } as unknown as Chat;
}

async function ask(
  write: Write,
  asked: object = {},
  { key = account.key, ...extra }: { key?: string; [field: string]: unknown } = {},
): Promise<Answer> {
  const request = await requestFor(write, asked, extra);
  const answer = await openai(key).chat.completions.create(request);
  const message = answer.choices[0]?.message as unknown as CitedMessage;
  return { ...(answer as unknown as Answer), message };
}

async function streamed(
  write: Write,
  asked: object = {},
  key = account.key,
): Promise<Answer & { opening: unknown }> {
  const request = await requestFor(write, asked, { stream_options: { include_usage: true } });
  const stream = await openai(key).chat.completions.create({ ...request, stream: true });
  let content = "";
  let [opening, last, usage]: unknown[] = [];
  for await (const chunk of stream) {
    opening ??= (chunk as unknown as Answer).citations;
    content += chunk.choices[0]?.delta.content ?? "";
    last = chunk.choices[0]?.finish_reason ? chunk : last;
    usage = chunk.usage ?? usage;
  }
  const { choices, citations } = last as { choices: { delta: CitedMessage }[] } & Answer;
  const { annotations, verification } = choices[0]?.delta ?? {};
  const message = { content, annotations, verification } as CitedMessage;
  return { message, citations, opening, usage } as Answer & { opening: unknown };
}

describe("a cited answer", () => {
  it("quotes the source of each claim and includes a verdict", async () => {
    const { first } = await sourceIds();
    const { message, citations } = await ask(
      () =>
        `Adults take 500 mg of amoxicillin 3 times a day [${first}]. Adults take 50 mg of amoxicillin 3 times a day [${first}]. Bananas are yellow [${first}]. It has no marker.`,
    );
    const found = message.annotations?.map(({ url_citation }) => url_citation) ?? [];
    expect(found.map(({ verification }) => verification?.verdict)).toEqual([
      "supported",
      "contradicted",
      "unsupported",
    ]);
    expect(found[1]?.verification).toMatchObject({ method: "rules", reason: "number" });
    const { document_id: document = "", metadata } =
      citations?.find(({ id }) => id === first) ?? {};
    expect(metadata?.cited).toBe(true);
    expect(found[0]?.quote).toEqual({
      text: "Adults take 500 mg of amoxicillin 3 times a day.",
      char_start: 0,
      char_end: 48,
      page: null,
      section: null,
      permalink: expect.stringContaining(`/documents/${document}?quote=0-48-`),
    });
    expect(found[2]?.quote).toBeNull();
    expect(message.verification).toMatchObject({
      ...{ sentences: 4, cited: 3, coverage: 0.75, method: "rules" },
      ...{ supported: 1, partial: 0, unsupported: 1, contradicted: 1 },
      ...{ dropped_markers: 0, stripped_markers: 0 },
    });
  });

  it("has the page on which each quote begins, which may be a later one of its passage", async () => {
    const { first } = await sourceIds();
    const second = TEXT.indexOf("Amoxicillin is");
    const where = { accountId: account.id, title: "Handbook" };
    await db().document.updateMany({ where, data: { pageStarts: [0, 0, second] } });
    const { id: documentId } = await db().document.findFirstOrThrow({ where });
    const place = { page: 3, x0: 0.1, y0: 0.2, x1: 0.4, y1: 0.25 };
    const words = packBoxes([{ start: 0, end: 14, ...place }]);
    const [encoded] = encodePages([{ boxes: words }], [second]);
    await db().documentPage.create({
      data: {
        documentId,
        accountId: account.id,
        page: 3,
        boxes: Buffer.from(encoded?.boxes ?? []),
      },
    });
    onTestFinished(async () => {
      await db().documentPage.deleteMany({ where: { documentId } });
      await db().document.updateMany({ where, data: { pageStarts: [] } });
    });
    const { message } = await ask(
      () =>
        `Adults take 500 mg of amoxicillin 3 times a day [${first}]. Amoxicillin is contraindicated in penicillin allergy [${first}].`,
    );
    expect(message.annotations?.map(({ url_citation }) => url_citation.quote?.page)).toEqual([
      2, 3,
    ]);
    // The boxes of the other page aren't known.
    expect(message.annotations?.map(({ url_citation }) => url_citation.quote?.boxes)).toEqual([
      undefined,
      [place],
    ]);
  });

  it("has the same evidence when streamed, on the finish chunk", async () => {
    const { first } = await sourceIds();
    const write = () =>
      `Adults take 500 mg of amoxicillin 3 times a day【${first}】. They sleep well [9][${first}].`;
    const plain = await ask(write);
    const stream = await streamed(write);
    expect(stream.message).toEqual({
      content: plain.message.content,
      annotations: plain.message.annotations,
      verification: plain.message.verification,
    });
    expect(stream.citations).toEqual(plain.citations);
    expect(stream.opening).toEqual(
      plain.citations?.map(({ metadata: { cited: _, ...metadata }, ...rest }) => ({
        ...rest,
        metadata,
      })),
    );
    expect(plain.message.verification).toMatchObject({ dropped_markers: 1, repaired_markers: 1 });
  });

  it("has markers where the model wrote none and the source is clear, plain and streamed", async () => {
    const { first } = await sourceIds();
    // The question has the script, in JSON: with quotes, the sentence isn't one that the user wrote.
    const write = () =>
      'Adults take 800 mg of "amoxicillin" 3 times a day. The moon is far away. Ask a doctor.';
    const plain = await ask(write);
    expect(plain.message.content).toBe(
      `Adults take 800 mg of "amoxicillin" 3 times a day [${first}]. The moon is far away. Ask a doctor.`,
    );
    expect(plain.message.annotations?.map(({ url_citation }) => url_citation)).toMatchObject([
      { citation_id: first, added: true, verification: { verdict: "contradicted" } },
    ]);
    expect(plain.message.verification).toMatchObject({ added_markers: 1, sentences: 3, cited: 1 });
    expect((await streamed(write)).message).toEqual({
      content: plain.message.content,
      annotations: plain.message.annotations,
      verification: plain.message.verification,
    });
    const off = await ask(write, { attribute: "off" });
    expect(off.message.content).toBe(write());
    expect(off.message.verification).toMatchObject({ added_markers: 0, cited: 0 });
  });

  it("cites the sentences that the marker of their paragraph covers, plain and streamed", async () => {
    const { first } = await sourceIds();
    const write = () =>
      `Take it [${first}].\n\nAdults take 500 mg of "amoxicillin" 3 times a day. Adults take 800 mg of "amoxicillin" 3 times a day. The moon is far away. Amoxicillin is contraindicated in penicillin allergy [${first}].`;
    const plain = await ask(write);
    expect(plain.message.content).toBe(write());
    const places = plain.message.annotations?.map(({ url_citation: at }) => [
      at.extended ?? false,
      [...plain.message.content].slice(at.start_index, at.end_index).join(""),
      at.claim.text,
      at.verification?.verdict,
    ]);
    const marker = `[${first}]`;
    expect(places?.slice(1)).toEqual([
      [false, marker, "Amoxicillin is contraindicated in penicillin allergy", "supported"],
      [true, marker, 'Adults take 500 mg of "amoxicillin" 3 times a day.', "supported"],
      [true, marker, 'Adults take 800 mg of "amoxicillin" 3 times a day.', "contradicted"],
    ]);
    expect(plain.message.verification).toMatchObject({ sentences: 5, cited: 4, contradicted: 1 });
    expect(plain.message).toMatchObject((await streamed(write)).message);
    const stripped = await ask(write, { on_unsupported: "strip" });
    expect(stripped.message.verification).toMatchObject({ cited: 3, contradicted: 0 });
    expect(stripped.message.content).toBe(write());
    const off = await ask(write, { verify: "off" });
    expect(off.message.annotations?.some(({ url_citation }) => url_citation.extended)).toBe(false);
  });

  it("makes no claim of a sentence that says that the sources don't answer, plain and streamed", async () => {
    const write = () => "The provided sources do not mention children [1]. I can't say more [2].";
    const { message } = await ask(write);
    expect(message.content).toBe(
      "The provided sources do not mention children. I can't say more [2].",
    );
    expect(message.annotations).toHaveLength(1);
    expect(message.verification).toMatchObject({ abstained: true, sentences: 1, cited: 1 });
    expect((await streamed(write)).message).toMatchObject({
      content: message.content,
      verification: message.verification,
    });
  });

  it("quotes the words below a source's name, which are no claim of an answer that has none", async () => {
    await sourceIds();
    const words = "Amoxicillin is contraindicated in penicillin allergy.";
    const { message } = await ask(
      ({ first }) =>
        `The sources do not answer this question.\n\nClosest passage:\n- Handbook › 2. Amoxicillin [${first}]\n  > ${words}`,
    );
    expect(message.annotations?.map(({ url_citation }) => url_citation)).toMatchObject([
      { claim: { text: words }, quote: { text: words } },
    ]);
    expect(message.annotations?.[0]?.url_citation.verification).toBeUndefined();
    expect(message.verification).toMatchObject({ abstained: true, cited: 0, claims: [] });
  });

  it("lists numbers on which the sources disagree", async () => {
    const { first, second } = await sourceIds();
    const { message } = await ask(
      () => `Adults take 500 mg of amoxicillin 3 times a day [${first}][${second}].`,
    );
    const [found] = message.verification?.disagreements ?? [];
    expect(found?.values.map(({ text }) => text).toSorted()).toEqual(["500 mg", "875 mg"]);
    const value = found?.values.find(({ citation_id }) => citation_id === first);
    expect(TEXT.slice(value?.char_start, value?.char_end)).toBe("500 mg");
  });
});

describe("citation options", () => {
  const write = ({ first }: { first: number }) =>
    `Adults take 500 mg of amoxicillin 3 times a day [${first}]. Bananas are yellow [${first}].`;

  it("verify: off normalizes markers and judges nothing", async () => {
    await sourceIds();
    const { message } = await ask(write, { verify: "off" });
    expect(message.verification).toMatchObject({
      ...{ method: "off", cited: 2, supported: null, contradicted: null, claims: [] },
    });
    const [one] = message.annotations ?? [];
    expect(one?.url_citation).not.toHaveProperty("verification");
    expect(one?.url_citation).not.toHaveProperty("quote");
  });

  it("quotes: false returns verdicts without quotes", async () => {
    const { message } = await ask(write, { quotes: false });
    const [one] = message.annotations ?? [];
    expect(one?.url_citation.verification?.verdict).toBe("supported");
    expect(one?.url_citation).not.toHaveProperty("quote");
  });

  it("return: cited omits uncited sources and keeps the numbers", async () => {
    const { second } = await sourceIds();
    const text = () => `Adults take 875 mg of amoxicillin 3 times a day [${second}].`;
    const { citations } = await ask(text, { return: "cited" });
    expect(citations?.map(({ id }) => id)).toEqual([second]);
    expect((await streamed(text, { return: "cited" })).citations).toEqual(citations);
  });

  it("on_unsupported: strip removes markers of unsupported claims, plain and streamed", async () => {
    const { first } = await sourceIds();
    const { message, citations } = await ask(write, { on_unsupported: "strip" });
    expect(message.content).toBe(
      `Adults take 500 mg of amoxicillin 3 times a day [${first}]. Bananas are yellow.`,
    );
    expect(message.verification).toMatchObject({
      ...{ cited: 1, supported: 1, unsupported: 0, stripped_markers: 1 },
      stripped: [{ citation_id: first, claim: "Bananas are yellow" }],
    });
    const stream = await streamed(write, { on_unsupported: "strip" });
    expect(stream.message).toEqual({ ...message, refusal: undefined, role: undefined });
    expect(stream.citations).toEqual(citations);
  });

  it("on_empty: say_so calls no model and charges nothing when nothing is found", async () => {
    // A new account, because charges for other answers may still be pending on the shared one.
    const fresh = await makeKeyedAccount({
      scopes: ["chat:completions", "kb:search"],
      knowledge_scopes: ["customer_kb"],
      models: ["scripted"],
    });
    const before = await readMoney(fresh.id);
    const seen = upstream().seen.length;
    const nothing = { on_empty: "say_so", source_types: ["no-such-type"] };
    const plain = await ask(write, nothing, { key: fresh.key });
    expect(plain.message.content).toBe("The sources found do not answer this question.");
    expect(plain.message.verification).toMatchObject({ abstained: true, sentences: 0 });
    expect(plain.citations).toEqual([]);
    expect(plain.usage).toMatchObject({ cost_usd: "0.000000", total_tokens: 0 });
    const stream = await streamed(write, nothing, fresh.key);
    expect(stream.message.content).toBe(plain.message.content);
    const asked = upstream()
      .seen.slice(seen)
      .map(({ body }) => JSON.stringify(body));
    expect(asked.filter((body) => body.includes(QUESTION))).toEqual([]);
    expect(await readMoney(fresh.id)).toEqual(before);
    expect(await lastUsage(fresh.id)).toMatchObject({ kind: "grounded", status: 200 });
  });

  it("are rejected by name when invalid", async () => {
    for (const [asked, param] of [
      [{ verify: "truth" }, "citations.verify"],
      [{ verify: "off", on_unsupported: "strip" }, "citations.on_unsupported"],
      [{ on_unsupported: "delete" }, "citations.on_unsupported"],
      [{ on_empty: "guess" }, "citations.on_empty"],
      [{ return: "some" }, "citations.return"],
      [{ quotes: "yes" }, "citations.quotes"],
      [{ verified: true }, "citations.verified"],
    ] as const) {
      const body = {
        model: "scripted",
        messages: [{ role: "user", content: QUESTION }],
        citations: { enabled: true, ...asked },
      };
      const answer = await call("POST", "/v1/chat/completions", { key: account.key, body });
      expect([answer.status, answer.json.error.code, answer.json.error.param]).toEqual([
        400,
        "invalid_request",
        param,
      ]);
    }
  });
});

describe("verification by a model", () => {
  const write = ({ first }: { first: number }) => `The pill is white [${first}].`;

  it("is rejected when the server has none", async () => {
    const body = {
      model: "scripted",
      messages: [{ role: "user", content: QUESTION }],
      citations: { enabled: true, verify: "model" },
    };
    const answer = await call("POST", "/v1/chat/completions", { key: account.key, body });
    expect([answer.status, answer.json.error.param]).toEqual([400, "citations.verify"]);
  });

  it("judges each claim, is included in the charge, and is recorded", async () => {
    useVerifier();
    scriptVerifier(() => ({
      verdict: "partial",
      reason: "missing_terms",
      quote: "Adults take 500 mg of amoxicillin 3 times a day.",
    }));
    const rules = await ask(write, { verify: "rules" });
    const { message, usage } = await ask(write, { verify: "model" });
    expect(message.verification).toMatchObject({ method: "model", partial: 1 });
    expect(usage).toMatchObject({
      verification: { model: "scripted", prompt_tokens: expect.any(Number) },
    });
    expect(Number(usage.cost_usd)).toBeGreaterThan(Number(rules.usage.cost_usd));
    expect(await lastUsage(account.id)).toMatchObject({
      rate: { verification: { model: "scripted" } },
      details: { verification: { method: "model" } },
    });
    expect((await streamed(write, { verify: "model" })).message.verification).toEqual(
      message.verification,
    );
  });

  it("falls back to the rules with a warning when the model is unavailable", async () => {
    useVerifier();
    scriptVerifier(() => "no judgement");
    const answer = await ask(write, { verify: "model" });
    expect(answer.message.verification).toMatchObject({ method: "rules", unsupported: 1 });
    expect(answer).toMatchObject({ warnings: [{ code: "verification_unavailable" }] });
  });
});

/** Makes the scripted model the verifier until the test ends. */
function useVerifier(): void {
  env.VERIFY_MODEL = "scripted";
  onTestFinished(() => {
    env.VERIFY_MODEL = undefined;
    scriptVerifier(null);
  });
}

describe("the record of a cited answer", () => {
  it("has stages, sources and verdict counts, and no text", async () => {
    const { first } = await sourceIds();
    await ask(() => `Adults take 500 mg of amoxicillin 3 times a day [${first}].`);
    const record = await lastUsage(account.id);
    expect(record?.details).toMatchObject({
      completion_id: expect.stringMatching(/^chatcmpl-/),
      is_stream: false,
      stages_ms: {
        retrieval: expect.any(Number),
        model: expect.any(Number),
        verification: expect.any(Number),
      },
      sources: expect.arrayContaining([expect.objectContaining({ id: first, cited: true })]),
      verification: { cited: 1, supported: 1, method: "rules" },
    });
    expect(JSON.stringify(record?.details)).not.toMatch(/amoxicillin|Handbook/i);
  });

  it("has the error code of a failed request", async () => {
    const body = {
      model: "scripted",
      messages: [{ role: "user", content: `script:${JSON.stringify({ status: 503 })}` }],
    };
    const answer = await call("POST", "/v1/chat/completions", { key: account.key, body });
    expect(answer.status).toBe(502);
    expect(await lastUsage(account.id)).toMatchObject({
      status: 502,
      details: { error_code: "upstream_error" },
    });
  });
});
