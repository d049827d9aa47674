import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { env } from "@/lib/platform/env";
import { call } from "@/lib/testing/api";
import {
  lastUsage,
  makeAccount,
  makeKey,
  makeKeyedAccount,
  readMoney,
} from "@/lib/testing/factories";
import { scriptVerifier } from "@/lib/testing/fake-upstream-verifier";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";

const PATH = "/v1/citations/verify";
const APIXABAN = {
  title: "Apixaban",
  text: "The usual dose of apixaban is 5 mg twice daily. The reduced dose is 2.5 mg twice daily.",
};
const CREATININE = {
  title: "Renal checklist",
  url: "https://guide.example/renal",
  text: "Serum creatinine is checked before the first dose.",
};
const TEXT =
  "The usual dose is 5 mg twice daily【1】. The reduced dose is 5 mg once daily [1]. Check serum creatinine before the first dose [2]. Rest well [7].";

const { VERIFY_MODEL } = env;
afterEach(() => {
  env.VERIFY_MODEL = VERIFY_MODEL;
  scriptVerifier(null);
});

function verify(key: string, body: object) {
  return call("POST", PATH, { key, body });
}

beforeAll(startBackgroundWork);
afterAll(() => stopBackgroundWork());

describe("POST /v1/citations/verify", () => {
  it("repairs the markers, judges each claim against its source and quotes it", async () => {
    const { key, id } = await makeKeyedAccount();
    const body = {
      text: TEXT,
      sources: [APIXABAN, CREATININE],
      question: "What is the usual dose of apixaban?",
    };
    const { status, headers, json } = await verify(key, body);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      object: "citations.verification",
      usage: { citations: 3, cost_usd: "0.000000" },
      citations: [
        {
          id: 1,
          title: "Apixaban",
          url: null,
          chunk_id: null,
          document_id: null,
          scope: null,
          cited: true,
        },
        { id: 2, title: "Renal checklist", url: "https://guide.example/renal", cited: true },
      ],
      verification: {
        supported: 2,
        contradicted: 1,
        dropped_markers: 1,
        repaired_markers: 1,
        method: "rules",
        answered: "yes",
      },
    });
    expect(json.text).toContain("5 mg twice daily[1].");
    expect(json.text).not.toContain("[7]");
    expect(headers.get("x-footnote-cost-usd")).toBe("0.000000");
    const [first, wrong, renal] = json.annotations;
    expect(first.url_citation).toMatchObject({
      url: "urn:footnote:source:1",
      verification: { verdict: "supported" },
      quote: {
        text: "The usual dose of apixaban is 5 mg twice daily.",
        char_start: 0,
        permalink: null,
      },
    });
    expect(wrong.url_citation.verification).toMatchObject({
      verdict: "contradicted",
      reason: "number",
    });
    expect(renal.url_citation.url).toBe("https://guide.example/renal");
    expect(await readMoney(id)).toMatchObject({ balance: 5_000_000n, held: 0n });
    expect(await lastUsage(id)).toMatchObject({
      kind: "verification",
      endpoint: PATH,
      passages: 2,
    });
  });

  it("repeats the caller's ids of sources", async () => {
    const { key } = await makeKeyedAccount();
    const sources = [{ id: "leaflet-7", ...APIXABAN }, CREATININE];
    const { status, json } = await verify(key, { text: TEXT, sources });
    expect(status).toBe(200);
    expect(json.citations[0]).toMatchObject({ id: 1, source_id: "leaflet-7" });
    expect(json.citations[1]).not.toHaveProperty("source_id");
  });

  it("says that the id of a source is a string", async () => {
    const { key } = await makeKeyedAccount();
    const sources = [{ id: 7, ...APIXABAN }];
    const { status, json } = await verify(key, { text: TEXT, sources });
    expect([status, json.error.param]).toEqual([400, "sources.0.id"]);
    expect(json.error.message).toContain("expected the id of the source as a string.");
  });

  it("charges for each citation beyond the free ones and releases the hold", async () => {
    const { key, id } = await makeKeyedAccount();
    const text = "The usual dose is 5 mg twice daily [1]. ".repeat(14);
    const { json } = await verify(key, { text, sources: [APIXABAN] });
    expect(json.usage).toEqual({ citations: 14, cost_usd: "0.000080" });
    expect(await readMoney(id)).toMatchObject({ balance: 4_999_920n, held: 0n });
  });

  it.each([
    ["[1] [2", "[1]"],
    ["[1][", "[1]"],
    ["[1], [2, 3", "[1],"],
    ["[1] 【2†so", "[1]"],
    ["[1] <sup>2", "[1]"],
    ["[2", ""],
    ["Rest helps. [1] [Source 2", "Rest helps. [1]"],
  ])("makes no claim of a marker that the end of %j cuts off", async (text, expected) => {
    const { key } = await makeKeyedAccount();
    const { json } = await verify(key, { text, sources: [{ text: "Rest helps." }] });
    expect(json.text).toBe(expected);
    const claims = text.startsWith("Rest")
      ? [expect.objectContaining({ verdict: "supported" })]
      : [];
    expect(json.verification.claims).toEqual(claims);
  });

  it.each(["The doses are = [1", "`rows[1", "See [the guideline"])(
    "keeps an open bracket that is no marker: %j",
    async (text) => {
      const { key } = await makeKeyedAccount();
      const { json } = await verify(key, { text, sources: [{ text: "Rest helps." }] });
      expect(json.text).toBe(text);
    },
  );

  it("strips unsupported markers on request, and leaves out quotes", async () => {
    const { key } = await makeKeyedAccount();
    const body = {
      text: TEXT,
      sources: [APIXABAN, CREATININE],
      on_unsupported: "strip",
      quotes: false,
    };
    const { json } = await verify(key, body);
    expect(json.verification).toMatchObject({
      stripped_markers: 1,
      contradicted: 0,
      answered: "unknown",
    });
    expect(json.annotations).toHaveLength(2);
    expect(json.annotations[0].url_citation).not.toHaveProperty("quote");
  });

  it("reads passages by their id, with place and permalink", async () => {
    const { key } = await makeKeyedAccount();
    const found = await call("POST", "/v1/kb/search", {
      key,
      body: { query: "warfarin INR monitoring" },
    });
    const [{ chunk_id, document_id, text }] = found.json.data;
    const sentence = text.split(/(?<=\.)\s/)[0];
    const { json } = await verify(key, { text: `${sentence} [1]`, sources: [{ chunk_id }] });
    expect(json.citations[0]).toMatchObject({
      chunk_id,
      document_id,
      scope: "public_kb",
      cited: true,
    });
    expect(json.verification.supported).toBe(1);
    expect(json.annotations[0].url_citation.quote.permalink).toContain(`/documents/${document_id}`);
  });

  it("finds no passage of another account, of another person, or outside the key's knowledge scopes", async () => {
    const owner = await makeAccount();
    const personal = { knowledge_scopes: ["personal_kb" as const], person: "patient-1" };
    const patient = await makeKey(owner.ctx, personal);
    const upload = await call("POST", "/v1/kb/documents", {
      key: patient.secret,
      body: { scope: "personal_kb", text: "The patient takes apixaban 5 mg twice daily." },
    });
    const { job_id } = upload.json;
    const job = await call("GET", `/v1/kb/jobs/${job_id}?wait=30`, { key: patient.secret });
    expect(job.json.status).toBe("completed");
    const search = { query: "apixaban", min_score: 0 };
    const found = await call("POST", "/v1/kb/search", { key: patient.secret, body: search });
    const { chunk_id } = found.json.data[0];
    const body = { text: "Apixaban 5 mg [1].", sources: [{ chunk_id }] };
    expect((await verify(patient.secret, body)).status).toBe(200);
    const others = [
      await makeKey(owner.ctx, { ...personal, person: "patient-2" }),
      await makeKey(owner.ctx),
      await makeKey((await makeAccount()).ctx, personal),
    ];
    for (const { secret } of others) {
      const { status, json } = await verify(secret, body);
      expect([status, json.error.code, json.error.param]).toEqual([
        404,
        "not_found",
        "sources.0.chunk_id",
      ]);
    }
  });

  it("asks the verifying model on request and charges its tokens", async () => {
    env.VERIFY_MODEL = "scripted";
    scriptVerifier(() => ({
      verdict: "supported",
      quote: "The usual dose of apixaban is 5 mg twice daily",
    }));
    const { key, id } = await makeKeyedAccount();
    const text = "The usual dose is 5 mg twice daily [1].";
    const { json } = await verify(key, { text, sources: [APIXABAN], verify: "model" });
    expect(json.verification).toMatchObject({ supported: 1, method: "model" });
    expect(json.usage.verification).toMatchObject({
      model: "scripted",
      prompt_tokens: expect.closeTo(400, -2),
    });
    const charged = BigInt(Math.round(Number(json.usage.cost_usd) * 1e6));
    expect(charged).toBeGreaterThan(0n);
    expect(await readMoney(id)).toMatchObject({ balance: 5_000_000n - charged, held: 0n });
  });

  it("charges the tokens that the verifying model had cached at their own rate", async () => {
    env.VERIFY_MODEL = "scripted-priced";
    const judgement = { claims: [{ claim: 1, verdict: "unsupported" }] };
    const usage = {
      ...{ prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 },
      prompt_tokens_details: { cached_tokens: 400 },
    };
    scriptVerifier(() => ({ text: JSON.stringify(judgement), usage }));
    const { key, id } = await makeKeyedAccount();
    const text = "The usual dose is 5 mg twice daily [1].";
    const { json } = await verify(key, { text, sources: [APIXABAN], verify: "model" });
    // 600 at 0.1, 400 at 0.013 and 100 at 0.7 micro-dollars.
    expect(json.usage.cost_usd).toBe("0.000136");
    expect(await lastUsage(id)).toMatchObject({
      rate: { verification: [{ cached_tokens: 400, cached_input: 0.013 }] },
    });
  });

  it("judges a text in the language that the request names", async () => {
    const { key } = await makeKeyedAccount();
    const sources = [{ text: "Dosis: 5 mg. Kein Kontakt mit Wasser.", title: "Apixaban" }];
    const verdictIn = async (language?: string) => {
      const { json } = await verify(key, { text: "Dosis 5 mg [1].", sources, language });
      return json.annotations[0].url_citation.verification;
    };
    expect(await verdictIn("de-CH")).toMatchObject({ verdict: "supported" });
    expect(await verdictIn("pl")).toMatchObject({ verdict: "unjudged", reason: "language" });
    expect(await verdictIn()).toMatchObject({ verdict: "supported" });
    const english = { text: "Give 5 mg [1].", sources: [{ text: "Give 5 mg." }] };
    const { json } = await verify(key, { ...english, language: "ja" });
    expect(json.verification).toMatchObject({ unjudged: 1, supported: 0 });
  });

  it("refuses wrong input by name, free of charge", async () => {
    const { key, id } = await makeKeyedAccount();
    const source = { text: "A source." };
    const cases: [object, number, string][] = [
      [{ sources: [source] }, 400, "text"],
      [{ text: " ", sources: [source] }, 400, "text"],
      [{ text: "x".repeat(20_001), sources: [source] }, 400, "text"],
      [{ text: "Yes [1].", sources: [] }, 400, "sources"],
      [{ text: "Yes [1].", sources: Array(51).fill(source) }, 400, "sources"],
      [{ text: "Yes [1].", sources: Array(11).fill({ text: "x".repeat(9999) }) }, 400, "sources"],
      [{ text: "Yes [1].", sources: [{ title: "No text" }] }, 400, "sources.0.text"],
      [{ text: "Yes [1].", sources: [{ text: "A", chunk_id: "c" }] }, 400, "sources.0"],
      [
        { text: "Yes [1].", sources: [{ text: "A", url: "javascript:alert(1)" }] },
        400,
        "sources.0.url",
      ],
      [{ text: "Yes [1].", sources: [{ chunk_id: "chunk_unknown" }] }, 404, "sources.0.chunk_id"],
      [{ text: "[1]. ".repeat(2000), sources: [source] }, 400, "text"],
      [{ text: "Yes [1].", sources: [source], verify: "model" }, 400, "verify"],
      [{ text: "Yes [1].", sources: [source], verify: "off" }, 400, "verify"],
      [{ text: "Yes [1].", sources: [source], language: "german please" }, 400, "language"],
      [{ text: "Yes [1].", sources: [source], question: " " }, 400, "question"],
    ];
    env.VERIFY_MODEL = undefined;
    for (const [body, status, param] of cases) {
      const { status: answered, json } = await verify(key, body);
      expect([answered, json.error.param]).toEqual([status, param]);
      expect(json.error.message).not.toContain("search for");
    }
    expect(await readMoney(id)).toMatchObject({ balance: 5_000_000n, held: 0n });
    const { secret } = await makeKey((await makeAccount()).ctx, { scopes: ["kb:search"] });
    expect((await verify(secret, { text: "Yes [1].", sources: [source] })).status).toBe(403);
  });
});
