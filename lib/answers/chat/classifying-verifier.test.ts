import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { AnswerSource } from "@/lib/answers/citations/verification";
import { env, readEnv } from "@/lib/platform/env";
import { ClaimJudge } from "./claim-judge";
import { findVerifier, verifierFor } from "./verifier";

const DOSE =
  "The usual amount for grown-ups is 500 mg of amoxicillin. ~~Infants get 900 mg.~~ Children get less.";
const PARAPHRASE = "Doctors typically prescribe 500 mg of amoxicillin to adult patients";

interface Asked {
  body: { inputs: [string, string][]; truncate: boolean };
  authorization: string | undefined;
}
type Reply = (inputs: readonly [string, string][]) => {
  status?: number;
  body: string;
  delayMs?: number;
};

let reply: Reply;
const seen: Asked[] = [];
const server = createServer(async (request, response) => {
  const body = JSON.parse(await new Response(request as never).text());
  seen.push({ body, authorization: request.headers.authorization });
  const { status = 200, body: answer, delayMs = 0 } = reply(body.inputs);
  await new Promise((resolve) => setTimeout(resolve, delayMs));
  response.writeHead(status, { "content-type": "application/json" }).end(answer);
});
let url = "";
let paths = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
const { VERIFY_MODEL, VERIFY_URL, VERIFY_API_KEY, VERIFY_LABELS, VERIFY_TIMEOUT_MS } = env;
const before = { VERIFY_MODEL, VERIFY_URL, VERIFY_API_KEY, VERIFY_LABELS, VERIFY_TIMEOUT_MS };
afterEach(() => {
  Object.assign(env, before);
  seen.length = 0;
});

/** Every test has an address of its own, and so a circuit breaker. */
function useClassifier(answer: Reply, settings: Partial<typeof env> = {}) {
  paths += 1;
  reply = answer;
  Object.assign(env, { VERIFY_MODEL: undefined, VERIFY_URL: `${url}/${paths}/predict` }, settings);
}

const labeled =
  (label: string): Reply =>
  (inputs) => ({
    body: JSON.stringify(
      inputs.map(() => [
        { label: "other", score: 0.1 },
        { label, score: 0.9 },
      ]),
    ),
  });

async function judge(texts: readonly string[], passages = [DOSE], asksAll = false) {
  const sources = passages.map(
    (text, at): AnswerSource => ({
      ...{ text, charStart: 0 },
      citation: { id: at + 1, title: "Amoxicillin", metadata: {} } as AnswerSource["citation"],
    }),
  );
  const verifier = findVerifier(asksAll);
  const claims = new ClaimJudge(sources, { verifier }, new AbortController().signal);
  const ids = passages.map((_, at) => at + 1);
  const judged = await claims.judge(texts.map((text) => ({ text, ids })));
  return { judged, warnings: claims.warnings };
}

describe("a text-classification server as judge", () => {
  it("is asked once about all open claims, each with the title and text of a source", async () => {
    useClassifier(labeled("ENTAILMENT"), { VERIFY_API_KEY: "a-key" });
    const other = "Most people past childhood need 500 mg";
    const { judged } = await judge([PARAPHRASE, other]);
    const premise = expect.stringMatching(/^Amoxicillin\nThe usual .* Children get less\.$/);
    expect(seen).toEqual([
      {
        body: {
          inputs: [
            [premise, PARAPHRASE],
            [premise, other],
          ],
          truncate: true,
        },
        authorization: "Bearer a-key",
      },
    ]);
    expect(seen[0]?.body.inputs[0]?.[0]).not.toContain("900");
    expect(judged[0]?.combined).toMatchObject({ verdict: "supported", method: "model" });
    expect(judged[0]?.bySource.get(1)?.quote?.text).toContain("500 mg of amoxicillin");
  });

  it.each([
    ["entailment", "supported"],
    ["neutral", "unsupported"],
    ["contradiction", "contradicted"],
    ["consistent", "supported"],
    ["hallucinated", "unsupported"],
  ])("means by %s that a claim is %s", async (label, verdict) => {
    useClassifier(labeled(label));
    const [judged] = (await judge([PARAPHRASE])).judged;
    expect(judged?.combined).toMatchObject({ verdict, method: "model" });
  });

  it("has labels of its own in VERIFY_LABELS, and others leave claims to the rules", async () => {
    const VERIFY_LABELS = "LABEL_1=supported,LABEL_0=unsupported";
    useClassifier(labeled("label_1"), { VERIFY_LABELS });
    expect((await judge([PARAPHRASE])).judged[0]?.combined.verdict).toBe("supported");
    useClassifier(labeled("entailment"), { VERIFY_LABELS });
    const { judged, warnings } = await judge([PARAPHRASE]);
    expect(judged[0]?.combined.method).toBe("rules");
    expect(warnings).toEqual([]);
  });

  it.each([
    ["another number", PARAPHRASE.replace("5", "8"), DOSE],
    ["a denial", PARAPHRASE.replace("typically", "never"), DOSE],
    ["struck-out words", "Babies receive 900 mg", DOSE],
    ["no word in common", "Whales breathe air", DOSE],
  ])("makes nothing supported against %s", async (_, claim, passage) => {
    useClassifier(labeled("entailment"));
    const { judged } = await judge([claim], [passage], true);
    expect(judged[0]?.combined.verdict).not.toBe("supported");
  });

  it("sees the part of a long source that says most of the claim", async () => {
    useClassifier(labeled("entailment"));
    const filler = "Whales breathe air and sing at night. ".repeat(200);
    const { judged } = await judge([PARAPHRASE], [`${filler}${DOSE}`]);
    const [premise = ""] = seen[0]?.body.inputs[0] ?? [];
    expect(premise).toContain("500 mg of amoxicillin");
    expect(premise.length).toBeLessThan(2_100);
    expect(judged[0]?.combined.verdict).toBe("supported");
  });

  it("answers about a single pair without the outer list", async () => {
    useClassifier(() => ({ body: '[{"label": "entailment", "score": 0.9}]' }));
    expect((await judge([PARAPHRASE])).judged[0]?.combined.verdict).toBe("supported");
  });

  it.each<[string, Reply]>([
    ["fails", () => ({ status: 500, body: "{}" })],
    ["returns no JSON", () => ({ body: "entailment" })],
    ["returns other JSON", () => ({ body: '{"label": "entailment"}' })],
    ["returns too few labels", () => ({ body: "[]" })],
    ["returns no label for a pair", () => ({ body: "[[]]" })],
    ["returns more than it may", () => ({ body: JSON.stringify("x".repeat(3_000_000)) })],
    ["is late", () => ({ body: "[]", delayMs: 300 })],
    ["can't be reached", () => ({ body: "" })],
  ])("leaves claims to the rules, with a warning, when it %s", async (name, answer) => {
    const isAway = name === "can't be reached";
    const settings = isAway ? { VERIFY_URL: "http://127.0.0.1:1/" } : { VERIFY_TIMEOUT_MS: 100 };
    useClassifier(answer, settings);
    const { judged, warnings } = await judge([PARAPHRASE]);
    expect(judged[0]?.combined.method).toBe("rules");
    expect(warnings).toMatchObject([{ code: "verification_unavailable" }]);
  });

  it("is asked about at most 24 pairs of a request, all of them if a request says so", async () => {
    useClassifier(labeled("neutral"));
    const texts = Array.from({ length: 30 }, (_, at) => `${PARAPHRASE} since ${1950 + at}`);
    await judge(
      ["The usual amount for grown-ups is 500 mg of amoxicillin", ...texts],
      [DOSE],
      true,
    );
    expect(seen.map(({ body }) => body.inputs.length)).toEqual([24]);
    expect(verifierFor("model", "verify")).toMatchObject({ model: null, asksAll: true });
    expect(
      verifierFor("auto", "verify")?.worstCaseMicros({ claims: 9, sources: 9, calls: 9 }),
    ).toBe(0n);
  });

  it("needs an address and labels that mean something, and no VERIFY_MODEL beside it", () => {
    const VERIFY_URL = "http://localhost:8080/predict";
    expect(readEnv({ VERIFY_URL }).VERIFY_URL).toBe(VERIFY_URL);
    expect(() => readEnv({ VERIFY_URL: "localhost:8080" })).toThrow(/VERIFY_URL/);
    expect(() => readEnv({ VERIFY_LABELS: "entailment=true" })).toThrow(/VERIFY_LABELS/);
    const both = { VERIFY_URL, VERIFY_MODEL: "m", MODELS: "m" };
    expect(() => readEnv(both)).toThrow(/Leave one out/);
  });
});
