import { describe, expect, it } from "vitest";
import { readCatalogue } from "./catalogue";
import { boundPrompt, countPromptTokens } from "./message-tokens";
import { toModelRequest } from "./model-request";
import { RESTRICTED_FIELDS } from "./restricted-fields";

function model(entry: object = {}) {
  const [first] = readCatalogue(JSON.stringify([{ id: "any", max_output_tokens: 100, ...entry }]));
  if (!first) {
    throw new Error("no model");
  }
  return first;
}

const messages = [{ role: "user" as const, content: "Hi" }];
const request = { model: "any", messages };

describe("a request for an upstream", () => {
  it("loses every field that changes price or routing unless the model allows it by name", () => {
    const fields = Object.fromEntries(RESTRICTED_FIELDS.map((field) => [field, "x"]));
    expect(Object.keys(toModelRequest({ ...request, ...fields }, model()))).toEqual([
      ...["model", "messages", "max_completion_tokens"],
    ]);
    const allowing = model({ allow_fields: ["service_tier"] });
    expect(toModelRequest({ ...request, ...fields }, allowing)).toEqual({
      ...{ ...request, service_tier: "x", max_completion_tokens: 100 },
    });
  });

  it("keeps unknown fields", () => {
    const extra = { brand_new: { a: 1 }, seed: 7, top_k: null };
    expect(toModelRequest({ ...request, ...extra }, model())).toMatchObject(extra);
  });

  it("loses other spellings of fields that bound its price, which some servers accept", () => {
    const tricks = { Service_Tier: "priority", MAX_TOKENS: 9, Max_Completion_Tokens: 9, N: 50 };
    expect(
      toModelRequest({ ...request, ...tricks }, model({ allow_fields: ["service_tier"] })),
    ).toEqual({ ...request, max_completion_tokens: 100 });
  });

  it.each([
    ...["google_search", "grounding", "prompt_cache_options"],
    ...["search_parameters", "enableSearch", "n_predict", "max-new-tokens", "preset", "transforms"],
    ...["user_config", "base_url", "apiBase", "api_key", "azure_ad_token", "aws_region_name"],
    ...[
      "vertex_credentials",
      "litellm_params",
      "input_cost_per_token",
      "extra_body",
      "mcp_servers",
    ],
  ])("loses %s, which takes it elsewhere, pays with other keys or buys more", (field) => {
    expect(toModelRequest({ ...request, [field]: "x" }, model())).toEqual({
      ...{ ...request, max_completion_tokens: 100 },
    });
  });

  it("loses options of its parts, messages and tools that change their price, unless they are allowed", () => {
    const cached = { cache_control: { type: "ephemeral", ttl: "1h" } };
    const image = { type: "image_url", image_url: { url: "data:", detail: "low" } };
    const called = { name: "look_up", parameters: {} };
    const asked = (options: object) => ({
      ...request,
      messages: [
        {
          role: "user" as const,
          content: [
            { type: "text", text: "Hi", ...options },
            { ...image, ...options },
          ],
          ...options,
        },
      ],
      tools: [{ type: "function", function: { ...called, ...options }, ...options }],
    });
    const plain = { ...asked({}), max_completion_tokens: 100 };
    expect(toModelRequest(asked(cached), model())).toEqual(plain);
    expect(toModelRequest(asked(cached), model({ allow_fields: ["cache_control"] }))).toEqual({
      ...asked(cached),
      max_completion_tokens: 100,
    });
    const [message] = toModelRequest(
      { ...request, messages: [{ role: "user", content: [{ ...image, max_pixels: 9e9 }] }] },
      model(),
    ).messages;
    expect(message?.content).toEqual([image]);
  });

  it.each([
    [{}, 100],
    [{ max_tokens: 7 }, 7],
    [{ max_completion_tokens: 7 }, 7],
    [{ max_tokens: 7, max_completion_tokens: 9 }, 9],
    [{ max_completion_tokens: 1_000_000 }, 100],
    [{ max_tokens: null }, 100],
  ])("carries the one limit that its upstream obeys: %j becomes %i", (given, limit) => {
    for (const field of ["max_tokens", "max_completion_tokens"]) {
      const sent = toModelRequest({ ...request, ...given }, model({ limit_field: field }));
      expect(sent).toEqual({ ...request, [field]: limit });
    }
  });
});

describe("the prompt of a request", () => {
  it("includes the text of every field that an upstream may bill", async () => {
    const words = "word ".repeat(200).trim();
    const plain = await countPromptTokens(request);
    const more = async (extra: object) =>
      (await countPromptTokens({ ...request, ...extra })) - plain;
    for (const field of ["tools", "response_format", "functions", "documents", "guided_json"]) {
      expect(await more({ [field]: [{ text: words }] })).toBeGreaterThanOrEqual(200);
    }
    expect(await more({ suffix: words })).toBe(200);
    const refusal = [{ role: "assistant", content: [{ type: "refusal", refusal: words }] }];
    expect(await more({ messages: refusal })).toBeGreaterThanOrEqual(190);
    expect(await more({ stop: words, user: words, metadata: { a: words }, temperature: 1 })).toBe(
      0,
    );
  });

  it("has its model's bound for each part, and the whole context for a part without one", () => {
    const bound = (types: string[], entry: object = {}) =>
      boundPrompt(
        10,
        [{ role: "user", content: types.map((type) => ({ type })) }],
        model({ context_length: 100_000, ...entry }),
      );
    // GPT-4o mini's highest detail.
    expect(bound(["image_url"])).toBe(10 + 2833 + 8 * 5667);
    expect(bound(["image_url", "text", "image_url"], { image_tokens: 50 })).toBe(110);
    expect(bound(["file"])).toBe(100_000);
    expect(bound(["input_audio", "file"], { audio_tokens: 300, file_tokens: 700 })).toBe(1010);
    expect(bound(["brand_new"], { image_tokens: 1, audio_tokens: 1, file_tokens: 1 })).toBe(
      100_000,
    );
  });
});
