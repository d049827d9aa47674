import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { REWRITER_ROLE } from "@/lib/answers/chat/rewriter-prompt";
import { SEARCHER_ROLE } from "@/lib/answers/chat/searcher-prompt";
import { findModel, type Model } from "@/lib/models/catalogue";
import { countPromptTokens } from "@/lib/models/message-tokens";
import { chatCost } from "@/lib/money/billing/rates";
import { sumShortfalls } from "@/lib/money/billing/read/audit";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { dispatch } from "@/lib/testing/api";
import { makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { upstream } from "@/lib/testing/fake-upstream";
import { scriptRewriter } from "@/lib/testing/fake-upstream-rewriter";
import { type SearcherScript, scriptSearcher } from "@/lib/testing/fake-upstream-searcher";
import { reportedUsage } from "@/lib/testing/fake-upstream-usage";
import { FUZZ_FACTOR } from "@/lib/testing/fuzz-budget";
import { countTokens } from "@/lib/text/tokens";

const SEED = Number(process.env.FOOTNOTE_FUZZ_SEED ?? 20_261_122);
const RUNS = 15 * FUZZ_FACTOR;
const TEXT = "one two three four";
const MAX_TOKENS = 50;
/** Short, so that a stalled upstream isn't read on for long. */
const LEASE_SECONDS = 1;
/** The most that a rewriting model may generate. */
const MAX_REWRITTEN = 120;
/** The most that a model may generate when it decides what to search for. */
const MAX_CHOSEN = 1024;

interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  cached_tokens: number;
}
type Told = Usage | "zero" | "none";

type Behavior =
  | { does: "answers" | "answers after its client left" | "answers nothing"; told: Told }
  | {
      does:
        | "fails"
        | "is left at once"
        | "is left midway"
        | "is replaced"
        | "is replaced when its answer breaks"
        | "ends in an error"
        | "is cut";
    };

/** What the rewriting model does, for a request with citations; `none`: a request without them. */
const REWRITINGS = ["none", "answers", "is late", "fails", "writes nonsense", "is left"] as const;
/** What the answering model does when it decides what to search for. */
const SEARCHINGS = ["searches", "refuses to search", "is left searching"] as const;

interface Case {
  behavior: Behavior;
  querying: (typeof REWRITINGS)[number] | (typeof SEARCHINGS)[number];
  isStream: boolean;
  isStored: boolean;
  name: string;
}

// Hidden reasoning, and numbers that no request can have.
const tokens = fc.oneof(
  fc.integer({ min: 1, max: MAX_TOKENS }),
  fc.integer({ min: 1, max: 5000 }),
  fc.integer({ min: 1, max: 100_000_000 }),
);
const told: fc.Arbitrary<Told> = fc.oneof(
  // An upstream may report more cached tokens than the prompt has.
  fc.record({ prompt_tokens: tokens, completion_tokens: tokens, cached_tokens: fc.nat(6000) }),
  fc.constantFrom("zero" as const, "none" as const),
);
const behaviors: fc.Arbitrary<Behavior> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constantFrom(
        "answers" as const,
        "answers after its client left" as const,
        "answers nothing" as const,
      ),
      told,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constantFrom(
        "fails" as const,
        "is left at once" as const,
        "is left midway" as const,
        "is replaced" as const,
        "is replaced when its answer breaks" as const,
        "ends in an error" as const,
        "is cut" as const,
      ),
    }),
  },
);
const cases = fc.record({
  behavior: behaviors,
  querying: fc.oneof(
    fc.constant("none" as const),
    fc.constantFrom(...REWRITINGS),
    fc.constantFrom(...SEARCHINGS),
  ),
  isStream: fc.boolean(),
  isStored: fc.boolean(),
  name: fc.uuid(),
});

function scriptOf({ behavior, name }: Case): object {
  switch (behavior.does) {
    case "answers":
      return { name, text: TEXT, ...usageScript(behavior.told) };
    case "answers after its client left":
      return { name, text: TEXT, delayMs: 200, ...usageScript(behavior.told) };
    case "answers nothing":
      return { name, choices: [], text: "", only: "priced-model", ...usageScript(behavior.told) };
    case "fails":
      return { name, status: 400, error: { message: "No." } };
    case "is left at once":
      return { name, delayMs: 60_000 };
    case "is left midway":
      return { name, fault: "stalls" };
    case "is replaced":
      return { name, status: 500, only: "priced-model" };
    case "is replaced when its answer breaks":
      return { name, fault: "is no JSON", only: "priced-model" };
    case "ends in an error":
      return { name, fault: "tells of an error in the middle", only: "priced-model" };
    default:
      return { name, fault: "ends in the middle", only: "priced-model" };
  }
}

function usageScript(all: Told): object {
  if (typeof all === "string") {
    const usage = { prompt_tokens: 0, completion_tokens: 0 };
    return all === "none" ? { noUsage: true } : { usage };
  }
  const { cached_tokens, ...usage } = all;
  return { usage: { ...usage, prompt_tokens_details: { cached_tokens } } };
}

function seen(name: string) {
  return upstream().seen.filter(({ body }) => JSON.stringify(body).includes(name));
}

function isRewriting({ body }: ReturnType<typeof seen>[number]): boolean {
  return body.messages[0]?.content.startsWith(REWRITER_ROLE) ?? false;
}

function isSearching({ body }: ReturnType<typeof seen>[number]): boolean {
  return body.messages[0]?.content.startsWith(SEARCHER_ROLE) ?? false;
}

/** Whether it comes before the answer. */
function isQuerying(request: ReturnType<typeof seen>[number]): boolean {
  return isRewriting(request) || isSearching(request);
}

/** Found by the name of its case in the conversation. */
const queryings = new Map<string, Case["querying"]>();
const REWRITTEN_USAGE = { prompt_tokens: 321, completion_tokens: 12 };

function findQuerying(conversation: string): Case["querying"] | undefined {
  return queryings.get(/rewriting-([0-9a-f-]{36})/.exec(conversation)?.[1] ?? "");
}

function scriptSearching(prompt: string): ReturnType<SearcherScript> {
  switch (findQuerying(prompt)) {
    case "refuses to search":
      return { status: 400 };
    case "is left searching":
      return { status: 200, delayMs: 60_000 };
    default:
      return prompt.includes("Searched for") ? [] : [{ query: "asthma" }];
  }
}

function scriptRewriting(conversation: string): object {
  const text = "How is asthma treated?";
  switch (findQuerying(conversation)) {
    case "is late":
    case "is left":
      return { text, delayMs: 60_000 };
    case "fails":
      return { status: 400, error: { message: "No." } };
    case "writes nonsense":
      return { text: "No.\nI won't.", usage: REWRITTEN_USAGE };
    default:
      return { text, usage: REWRITTEN_USAGE };
  }
}

type Tokens = Parameters<typeof chatCost>[2];

/** Of the calls that decide what to search for, as far as the upstream answered them. */
async function searchingCost({ name, querying }: Case): Promise<bigint> {
  let cost = 0n;
  for (const call of querying === "refuses to search" ? [] : seen(name).filter(isSearching)) {
    const isUnseen = querying === "is left searching";
    cost += chatCost(
      modelOf("scripted-priced").rates,
      "core",
      isUnseen
        ? { prompt: await countedPrompt(call), completion: MAX_CHOSEN }
        : fallbackUsage(call),
    );
  }
  return cost;
}

/** Nothing, if the upstream refused it; otherwise what it reports, or the most that it may have generated unseen. */
async function rewritingCost({ name, querying }: Case): Promise<bigint> {
  const call = seen(name).find(isRewriting);
  if (!call || querying === "fails") {
    return 0n;
  }
  const isUnseen = querying === "is left" || querying === "is late";
  const { prompt_tokens: prompt, completion_tokens: completion } = REWRITTEN_USAGE;
  return chatCost(
    modelOf("scripted-dear").rates,
    "core",
    isUnseen
      ? { prompt: await countedPrompt(call), completion: MAX_REWRITTEN }
      : { prompt, completion },
  );
}

function modelOf(id: string): Model {
  const model = findModel(id);
  if (!model) {
    throw new Error(`no model ${id}`);
  }
  return model;
}

function countedPrompt({ body }: ReturnType<typeof seen>[number]): Promise<number> {
  return countPromptTokens({ ...body, model: "" } as never);
}

/** Its client leaves before the answer is asked for. */
const LEFT_BEFORE = new Set<Case["querying"]>(["is left", "is left searching"]);

function citationsFor({ querying }: Case): object {
  const isSearched = SEARCHINGS.some((each) => each === querying);
  return { enabled: true, ...(isSearched ? { search: "auto" } : { query: "conversation" }) };
}

/** Runs one request to its end. Its client leaves where the upstream's behavior says so. */
async function run(key: string, one: Case): Promise<void> {
  queryings.set(one.name, one.querying);
  const client = new AbortController();
  const asking = dispatch("http://localhost:3000/v1/chat/completions", {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: "scripted-priced",
      max_tokens: MAX_TOKENS,
      messages: [
        { role: "user", content: `What is asthma? rewriting-${one.name}` },
        { role: "user", content: `How is it treated? script:${JSON.stringify(scriptOf(one))}` },
      ],
      ...(one.querying !== "none" && { citations: citationsFor(one) }),
      stream: one.isStream,
      store: one.isStored,
    }),
    signal: client.signal,
  });
  const isLeftBefore = LEFT_BEFORE.has(one.querying);
  const does = isLeftBefore ? "is left at once" : one.behavior.does;
  const isLeftAtOnce = does === "is left at once" || does === "answers after its client left";
  if (isLeftAtOnce || (does === "is left midway" && !one.isStream)) {
    // Over HTTP, leaving is a rejection.
    const ended = asking.then(
      (response) => response.status === 402,
      () => false,
    );
    const isAsked = () => seen(one.name).some((request) => isLeftBefore || !isQuerying(request));
    await expect
      .poll(() => isAsked() || Promise.race([ended, false]), { timeout: 5000 })
      .toBe(true);
    client.abort();
    await ended;
    return;
  }
  const response = await asking;
  if (does !== "is left midway" || response.status === 402) {
    await response.text();
    return;
  }
  let text = "";
  for await (const piece of response.body ?? []) {
    text += Buffer.from(piece);
    if (text.includes("half")) {
      break;
    }
  }
}

/** What upstreams bill for a case at our rates, from what they received and did. */
async function upstreamCost(one: Case): Promise<bigint> {
  const { behavior, isStream, name, querying } = one;
  const before = (await rewritingCost(one)) + (await searchingCost(one));
  const [first] = seen(name).filter((request) => !isQuerying(request));
  if (LEFT_BEFORE.has(querying) || !first) {
    return before;
  }
  const kind = querying === "none" ? "core" : "grounded";
  const cost = (used: Tokens, id = "scripted-priced") => chatCost(modelOf(id).rates, kind, used);
  const prompt = await countedPrompt(first);
  const replaced = cost(fallbackUsage(first), "scripted-dear");
  switch (behavior.does) {
    case "fails":
      return before;
    case "is replaced":
      return before + replaced;
    case "is replaced when its answer breaks":
      return before + cost({ prompt, completion: 0 }) + replaced;
    case "ends in an error":
    case "is cut":
      return isStream
        ? before + cost({ prompt, completion: countTokens("half of") })
        : before + cost({ prompt, completion: 0 }) + replaced;
    case "is left at once":
    case "is left midway": {
      const wasSeen = behavior.does === "is left midway" && isStream;
      return before + cost({ prompt, completion: wasSeen ? countTokens("half of") : MAX_TOKENS });
    }
    case "answers nothing": {
      const used = await believed(behavior.told, first, { prompt, completion: 0 });
      return before + cost(used) + (isStream ? 0n : replaced);
    }
    default: {
      const counted = { prompt, completion: countTokens(TEXT) };
      return before + cost(await believed(behavior.told, first, counted));
    }
  }
}

/** What it reports, unless it is nothing, or too little to be true. */
async function believed(
  reported: Told,
  { body }: ReturnType<typeof seen>[number],
  counted: { prompt: number; completion: number },
): Promise<Tokens> {
  if (typeof reported === "string") {
    return counted;
  }
  const text = await countPromptTokens({ model: "", messages: body.messages } as never);
  const { prompt_tokens, completion_tokens: completion, cached_tokens } = reported;
  const prompt = text > 4 * prompt_tokens ? text : prompt_tokens;
  return { prompt, completion, cached: Math.min(cached_tokens, prompt, prompt_tokens) };
}

function fallbackUsage({ body }: ReturnType<typeof seen>[number]): Tokens {
  const { prompt_tokens: prompt, completion_tokens: completion } = reportedUsage(
    "Hello from upstream.",
    body,
  );
  return { prompt, completion };
}

const { HOLD_LEASE_SECONDS: lease } = env;

beforeAll(() => {
  env.HOLD_LEASE_SECONDS = LEASE_SECONDS;
  env.REWRITE_MODEL = "scripted-dear";
  scriptRewriter(scriptRewriting);
  scriptSearcher(scriptSearching);
});

afterAll(() => {
  env.HOLD_LEASE_SECONDS = lease;
  env.REWRITE_MODEL = undefined;
  scriptRewriter(null);
  scriptSearcher(null);
});

it("charges what upstreams bill, or records the shortfall, however their calls end", async () => {
  let fellShort = 0n;
  const property = fc.asyncProperty(
    fc.array(cases, { minLength: 1, maxLength: 5 }),
    async (all) => {
      const { id, key } = await makeKeyedAccount({ models: ["scripted-priced"] });
      const before = await readMoney(id);
      await Promise.all(all.map((one) => run(key, one)));
      await expect.poll(async () => (await readMoney(id)).held, { timeout: 10_000 }).toBe(0n);
      const { balance, ledgerSum } = await readMoney(id);
      const records = await db().usageRecord.findMany({ where: { accountId: id } });
      const holds = await db().hold.findMany({ where: { accountId: id } });
      const charged = before.balance - balance;
      const { amount: shortfall } = await sumShortfalls({ accountId: id });
      fellShort += shortfall;
      let billed = 0n;
      for (const one of all) {
        billed += await upstreamCost(one);
      }
      // The charge and the shortfall of a request are rounded up once each, what its calls cost here for each call.
      const rounding = charged + shortfall - billed;
      expect(rounding >= -2n * BigInt(all.length) && rounding <= 2n * BigInt(all.length)).toBe(
        true,
      );
      const sumOf = (name: "costMicros" | "shortfallMicros") =>
        records.reduce((sum, record) => sum + record[name], 0n);
      expect([ledgerSum, sumOf("costMicros"), sumOf("shortfallMicros")]).toEqual([
        ...[balance, charged, shortfall],
      ]);
      expect(balance >= 0n).toBe(true);
      // A failure is free, and no report, however absurd, costs more than was reserved.
      for (const { id: request, status, costMicros } of records) {
        const { amountMicros = 0n } = holds.find((hold) => hold.id === request) ?? {};
        expect(costMicros <= (status === 200 || status === 499 ? amountMicros : 0n)).toBe(true);
      }
    },
  );
  await fc.assert(property, { numRuns: RUNS, seed: SEED, endOnFailure: true });
  expect(fellShort).toBeGreaterThan(0n);
}, 60_000);
