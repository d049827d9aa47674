import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { chatCost } from "@/lib/billing/rates";
import { sumShortfalls } from "@/lib/billing/read/audit";
import { REWRITER_ROLE } from "@/lib/chat/rewriter-prompt";
import { db } from "@/lib/db/client";
import { env } from "@/lib/env";
import { findModel } from "@/lib/models/catalogue";
import { countPrompt } from "@/lib/models/message-tokens";
import { dispatch } from "@/lib/testing/api";
import { makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { upstream } from "@/lib/testing/fake-upstream";
import { scriptRewriter } from "@/lib/testing/fake-upstream-rewriter";
import { FUZZ_FACTOR } from "@/lib/testing/fuzz-budget";
import { countTokens } from "@/lib/text/tokens";

const SEED = Number(process.env.FOOTNOTE_FUZZ_SEED ?? 20_261_122);
const RUNS = 15 * FUZZ_FACTOR;
const TEXT = "one two three four";
/** What the fake upstream reports unless a script says otherwise. */
const DEFAULT_USAGE = { prompt_tokens: 100, completion_tokens: 3 };

type Told =
  | { prompt_tokens: number; completion_tokens: number; cached_tokens: number }
  | "zero"
  | "none";

type Behavior =
  | { does: "answers"; told: Told }
  | { does: "fails" | "is left at once" | "is left midway" | "is replaced" };

/** What the rewriting model does, for a request with citations; `none`: a request without them. */
const REWRITINGS = ["none", "answers", "is late", "fails", "writes nonsense", "is left"] as const;

interface Case {
  behavior: Behavior;
  rewriting: (typeof REWRITINGS)[number];
  isStream: boolean;
  isStored: boolean;
  name: string;
}

// The largest cost more than the account has, so that requests fall short.
const tokens = fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 20_000_000 }));
const behaviors: fc.Arbitrary<Behavior> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("answers" as const),
      told: fc.oneof(
        // An upstream may report more cached tokens than the prompt has.
        fc.record({
          prompt_tokens: tokens,
          completion_tokens: tokens,
          cached_tokens: fc.nat(6000),
        }),
        fc.constantFrom("zero" as const, "none" as const),
      ),
    }),
  },
  fc.record({
    does: fc.constantFrom(
      "fails" as const,
      "is left at once" as const,
      "is left midway" as const,
      "is replaced" as const,
    ),
  }),
);
const cases = fc.record({
  behavior: behaviors,
  rewriting: fc.oneof(fc.constant("none" as const), fc.constantFrom(...REWRITINGS)),
  isStream: fc.boolean(),
  isStored: fc.boolean(),
  name: fc.uuid(),
});

function scriptOf({ behavior, name }: Case): object {
  switch (behavior.does) {
    case "answers": {
      const { told } = behavior;
      if (typeof told === "string") {
        const usage = { prompt_tokens: 0, completion_tokens: 0 };
        return { name, text: TEXT, ...(told === "none" ? { noUsage: true } : { usage }) };
      }
      const { cached_tokens, ...usage } = told;
      return { name, text: TEXT, usage: { ...usage, prompt_tokens_details: { cached_tokens } } };
    }
    case "fails":
      return { name, status: 400, error: { message: "No." } };
    case "is left at once":
      return { name, delayMs: 60_000 };
    case "is left midway":
      return { name, fault: "stalls" };
    default:
      return { name, status: 500, only: "priced-model" };
  }
}

function seen(name: string) {
  return upstream().seen.filter(({ body }) => JSON.stringify(body).includes(name));
}

function isRewriting({ body }: ReturnType<typeof seen>[number]): boolean {
  return body.messages[0]?.content.startsWith(REWRITER_ROLE) ?? false;
}

/** Found by the name of its case in the conversation. */
const rewritings = new Map<string, Case["rewriting"]>();
const REWRITTEN_USAGE = { prompt_tokens: 321, completion_tokens: 12 };

function scriptRewriting(conversation: string): object {
  const name = /rewriting-([0-9a-f-]{36})/.exec(conversation)?.[1] ?? "";
  const text = "How is asthma treated?";
  switch (rewritings.get(name)) {
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

/** A late or failed call costs nothing, like a failed claim's. */
async function rewritingCost({ name, rewriting }: Case): Promise<bigint> {
  const call = seen(name).find(isRewriting);
  const model = findModel("scripted-dear");
  if (!call || !model || rewriting === "is late" || rewriting === "fails") {
    return 0n;
  }
  return chatCost(
    model.rates,
    "core",
    rewriting === "is left"
      ? {
          prompt: await countPrompt({ ...call.body, model: model.id } as never, model),
          completion: 0,
        }
      : { prompt: REWRITTEN_USAGE.prompt_tokens, completion: REWRITTEN_USAGE.completion_tokens },
  );
}

/** Runs one request to its end. Its client leaves where the upstream's behavior says so. */
async function run(key: string, one: Case): Promise<void> {
  rewritings.set(one.name, one.rewriting);
  const client = new AbortController();
  const asking = dispatch("http://localhost:3000/v1/chat/completions", {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: "scripted-priced",
      max_tokens: 50,
      messages: [
        { role: "user", content: `What is asthma? rewriting-${one.name}` },
        { role: "user", content: `How is it treated? script:${JSON.stringify(scriptOf(one))}` },
      ],
      ...(one.rewriting !== "none" && { citations: { enabled: true, query: "conversation" } }),
      stream: one.isStream,
      store: one.isStored,
    }),
    signal: client.signal,
  });
  const does = one.rewriting === "is left" ? "is left at once" : one.behavior.does;
  if (does === "is left at once" || (does === "is left midway" && !one.isStream)) {
    // Over HTTP, leaving is a rejection.
    const ended = asking.then(
      (response) => response.status === 402,
      () => false,
    );
    const isAsked = () =>
      seen(one.name).some((request) => one.rewriting === "is left" || !isRewriting(request));
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
    if (text.includes('"of"')) {
      break;
    }
  }
}

/** What the upstream's work costs at our rates, from what it received and did. */
async function upstreamCost(one: Case): Promise<bigint> {
  const { behavior, isStream, name, rewriting } = one;
  const first = seen(name).find((request) => !isRewriting(request));
  if (rewriting === "is left") {
    return rewritingCost(one);
  }
  const [model, fallback] = ["scripted-priced", "scripted-dear"].map(findModel);
  if (!first || !model || !fallback || behavior.does === "fails") {
    return 0n;
  }
  const kind = rewriting === "none" ? "core" : "grounded";
  const rewritten = await rewritingCost(one);
  const priced = { rates: model.rates, cached: 0 };
  const cost = (prompt: number, completion: number, { rates, cached = 0 } = priced) =>
    rewritten + chatCost(rates, kind, { prompt, completion, cached: Math.min(cached, prompt) });
  if (behavior.does === "is replaced") {
    const { prompt_tokens, completion_tokens } = DEFAULT_USAGE;
    return cost(prompt_tokens, completion_tokens, { rates: fallback.rates, cached: 0 });
  }
  const prompt = await countPrompt({ ...first.body, model: model.id } as never, model);
  if (behavior.does === "answers") {
    return typeof behavior.told === "string"
      ? cost(prompt, countTokens(TEXT))
      : cost(behavior.told.prompt_tokens, behavior.told.completion_tokens, {
          rates: model.rates,
          cached: behavior.told.cached_tokens,
        });
  }
  const hasBegun = behavior.does === "is left midway" && isStream;
  return cost(prompt, hasBegun ? countTokens("half of") : 0);
}

beforeAll(() => {
  env.REWRITE_MODEL = "scripted-dear";
  scriptRewriter(scriptRewriting);
});

afterAll(() => {
  env.REWRITE_MODEL = undefined;
  scriptRewriter(null);
});

it("charges what an upstream's work costs, or records the shortfall, to the micro-dollar", async () => {
  let fellShort = 0n;
  const property = fc.asyncProperty(
    fc.array(cases, { minLength: 1, maxLength: 5 }),
    async (all) => {
      const { id, key } = await makeKeyedAccount({ models: ["scripted-priced"] });
      const before = await readMoney(id);
      await Promise.all(all.map((one) => run(key, one)));
      await expect.poll(async () => (await readMoney(id)).held, { timeout: 10_000 }).toBe(0n);
      const { balance, ledgerSum } = await readMoney(id);
      const { _sum: sums } = await db().usageRecord.aggregate({
        where: { accountId: id },
        _sum: { costMicros: true, shortfallMicros: true },
      });
      const charged = before.balance - balance;
      const { amount: shortfall } = await sumShortfalls({ accountId: id });
      fellShort += shortfall;
      const costs = await Promise.all(all.map(upstreamCost));
      expect(charged + shortfall).toBe(costs.reduce((sum, cost) => sum + cost, 0n));
      expect([ledgerSum, sums.costMicros ?? 0n, sums.shortfallMicros ?? 0n]).toEqual([
        balance,
        charged,
        shortfall,
      ]);
      expect(balance >= 0n).toBe(true);
    },
  );
  await fc.assert(property, { numRuns: RUNS, seed: SEED });
  expect(fellShort).toBeGreaterThan(0n);
}, 120_000);
