import { describe, expect, it } from "vitest";
import { NEIGHBOR_TOKENS } from "@/lib/library/retrieval/neighbors";
import { findModel } from "@/lib/models/catalogue";
import { countMessageTokens } from "@/lib/models/message-tokens";
import { chatCost } from "@/lib/money/billing/rates";
import { keyContext, makeAccount } from "@/lib/testing/factories";
import { planChat } from "./plan";
import { ChatRequest } from "./schema";

async function plan(extra: object, model = "scripted") {
  const { ctx } = await makeAccount();
  const key = keyContext(ctx, { knowledgeScopes: ["public_kb"], models: [model] });
  const messages = [{ role: "user", content: "What is asthma?" }];
  return planChat(key, ChatRequest.parse({ model, messages, ...extra }));
}

const rates = findModel("scripted")?.rates ?? {
  core: { input: 0, output: 0 },
  grounded: { input: 0, output: 0 },
};
/** Half as many again for other vocabularies, and 400 for templates. */
const most = (counted: number) => Math.ceil(1.5 * counted) + 400;
const prompt = most(countMessageTokens([{ role: "user", content: "What is asthma?" }]));

describe("the worst case of a request", () => {
  it("is the prompt and the model's maximum output", async () => {
    const { worstCaseMicros } = await plan({});
    expect(worstCaseMicros).toBe(chatCost(rates, "core", { prompt, completion: 16_384 }));
  });

  it("uses the larger of the given limits for each of n answers, capped at the model's", async () => {
    const bound = async (extra: object) => (await plan(extra)).worstCaseMicros;
    const cost = (completion: number) => chatCost(rates, "core", { prompt, completion });
    expect(await bound({ max_tokens: 100 })).toBe(cost(100));
    expect(await bound({ max_tokens: 1, max_completion_tokens: 16_000 })).toBe(cost(16_000));
    expect(await bound({ max_tokens: 100, n: 3 })).toBe(cost(300));
    expect(await bound({ max_tokens: 1_000_000 })).toBe(cost(16_384));
  });

  it("includes the sources' tokens at grounded rates when citations are enabled", async () => {
    const { worstCaseMicros } = await plan({
      max_tokens: 10,
      citations: { enabled: true, top_k: 20 },
    });
    const cost = (perSource: number) =>
      chatCost(rates, "grounded", { prompt: most(20 * perSource), completion: 10 });
    expect(worstCaseMicros).toBeGreaterThan(cost(500));
    expect(worstCaseMicros).toBeLessThan(cost(750));
  });

  it("includes the neighbors of each passage when the model is shown whole sections", async () => {
    const bound = async (citations: object) =>
      (await plan({ max_tokens: 10, citations: { enabled: true, top_k: 50, ...citations } }))
        .worstCaseMicros;
    const added = (await bound({ context: "section" })) - (await bound({}));
    expect(added).toBe(
      chatCost(rates, "grounded", { prompt: 1.5 * 50 * NEIGHBOR_TOKENS, completion: 0 }),
    );
  });

  it("caps the upstream's output at what the hold covers", async () => {
    const { request } = await plan({ max_tokens: 1_000_000 });
    expect(request.max_tokens).toBe(16_384);
    expect((await plan({})).request.max_tokens).toBe(16_384);
  });

  it("counts a file or a recording as the full context", async () => {
    const file = { type: "file", file: { file_data: "data:application/pdf;base64,AAAA" } };
    const messages = [{ role: "user", content: [{ type: "text", text: "Read it." }, file] }];
    const { worstCaseMicros } = await plan({ max_tokens: 1, messages });
    expect(worstCaseMicros).toBe(chatCost(rates, "core", { prompt: 128_000, completion: 1 }));
  });

  it("counts tools", async () => {
    const tools = [
      { type: "function", function: { name: "f", description: "word ".repeat(1000) } },
    ];
    const [without, withTools] = [
      await plan({ max_tokens: 1 }),
      await plan({ max_tokens: 1, tools }),
    ];
    expect(withTools.worstCaseMicros - without.worstCaseMicros).toBeGreaterThanOrEqual(1000n);
  });

  it("counts a prediction as output, and fields we don't know as prompt", async () => {
    const words = "word ".repeat(1000).trim();
    const bound = async (extra: object) =>
      (await plan({ max_tokens: 1, ...extra })).worstCaseMicros -
      (await plan({ max_tokens: 1 })).worstCaseMicros;
    const predicted = await bound({ prediction: { type: "content", content: words } });
    expect(predicted).toBeGreaterThanOrEqual(
      chatCost(rates, "core", { prompt: 0, completion: 1000 }),
    );
    const documents = await bound({ documents: [words] });
    expect(documents).toBeGreaterThanOrEqual(
      chatCost(rates, "core", { prompt: 1000, completion: 0 }),
    );
  });

  it("counts an image as the most that its model's upstream bills", async () => {
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    const messages = [
      { role: "user", content: [{ type: "text", text: "What is asthma?" }, image] },
    ];
    const { worstCaseMicros } = await plan({ max_tokens: 1, messages });
    expect(worstCaseMicros).toBe(
      chatCost(rates, "core", { prompt: prompt + 48_169, completion: 1 }),
    );
  });

  it("uses the dearer rates of a model and its fallback", async () => {
    const dear = findModel("scripted-dear");
    const { worstCaseMicros } = await plan({ max_tokens: 10 }, "scripted-priced");
    expect(dear && chatCost(dear.rates, "core", { prompt, completion: 10 })).toBe(worstCaseMicros);
  });

  it("counts the candidates of best_of where the model allows it", async () => {
    const dear = findModel("scripted-dear");
    const { worstCaseMicros, request } = await plan(
      { max_tokens: 10, n: 2, best_of: 5 },
      "scripted-dear",
    );
    expect(request.best_of).toBe(5);
    expect(dear && chatCost(dear.rates, "core", { prompt, completion: 50 })).toBe(worstCaseMicros);
    expect((await plan({ best_of: 5 })).request).not.toHaveProperty("best_of");
  });
});

describe("service_tier", () => {
  it.each([undefined, null, "auto", "default"])("is left to the upstream as %s", async (tier) => {
    const { request } = await plan({ service_tier: tier });
    expect(request).not.toHaveProperty("service_tier");
  });

  it("is refused where it has no price, and sent where the operator allows it", async () => {
    await expect(plan({ service_tier: "priority" })).rejects.toMatchObject({
      code: "invalid_request",
      param: "service_tier",
    });
    const { request } = await plan({ service_tier: "priority" }, "scripted-dear");
    expect(request.service_tier).toBe("priority");
  });
});
