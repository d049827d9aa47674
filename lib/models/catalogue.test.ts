import { describe, expect, it } from "vitest";
import { RATES } from "@/lib/money/billing/rates";
import { env } from "@/lib/platform/env";
import { readCatalogue } from "./catalogue";

describe("the model catalog", () => {
  it("contains only the embedded model when MODELS is not set", () => {
    expect(readCatalogue(undefined)).toMatchObject([
      { id: "footnote-extract-1", isDefault: true, upstream: null },
    ]);
  });

  it("accepts comma-separated ids, makes the first the default and appends the embedded model", () => {
    const models = readCatalogue("big, small");
    expect(models.map(({ id, isDefault }) => [id, isDefault])).toEqual([
      ["big", true],
      ["small", false],
      ["footnote-extract-1", false],
    ]);
    expect(models[0]).toMatchObject({
      upstream: { model: "big" },
      rates: RATES.upstream,
      retries: 2,
    });
  });

  it("picks the output limit field that each upstream supports", () => {
    const entries = [
      { id: "openai", upstream: { base_url: "https://api.openai.com/v1" } },
      { id: "local", upstream: { base_url: "http://localhost:8080/v1" } },
      {
        id: "own",
        upstream: { base_url: "http://a.example/v1" },
        limit_field: "max_completion_tokens",
      },
    ];
    expect(readCatalogue(JSON.stringify(entries)).map(({ limitField }) => limitField)).toEqual([
      "max_completion_tokens",
      "max_tokens",
      "max_completion_tokens",
      "max_tokens",
    ]);
  });

  it("accepts entries with their own upstream, rates and limits", () => {
    const [fast] = readCatalogue(
      JSON.stringify([
        {
          id: "fast",
          upstream: { base_url: "http://localhost:8080/v1", api_key: "k" },
          upstream_model: "llama",
          api: "responses",
          context_length: 8192,
          max_output_tokens: 512,
          rates: { core: { input: 0.1, output: 0.2 }, grounded: { input: 0.3, output: 0.4 } },
          fallback: "footnote-extract-1",
        },
      ]),
    );
    expect(fast).toMatchObject({
      upstream: {
        baseUrl: "http://localhost:8080/v1",
        apiKey: "k",
        model: "llama",
        api: "responses",
      },
      contextLength: 8192,
      maxOutputTokens: 512,
      rates: { core: { input: 0.1 } },
      fallback: "footnote-extract-1",
    });
  });

  it("uses the shared key only for the shared upstream, never for an entry's own address", () => {
    const before = env.OPENAI_API_KEY;
    env.OPENAI_API_KEY = "sk-shared";
    try {
      const models = readCatalogue(
        JSON.stringify([
          { id: "shared" },
          { id: "foreign", upstream: { base_url: "https://other.example/v1" } },
          { id: "own", upstream: { base_url: "https://own.example/v1", api_key: "k" } },
        ]),
      );
      expect(models.slice(0, 3).map(({ upstream }) => upstream?.apiKey)).toEqual([
        "sk-shared",
        "none",
        "k",
      ]);
    } finally {
      env.OPENAI_API_KEY = before;
    }
  });

  it("lets the operator put the embedded model first", () => {
    const models = readCatalogue(JSON.stringify([{ id: "footnote-extract-1" }, { id: "big" }]));
    expect(models.map(({ id, isDefault }) => [id, isDefault])).toEqual([
      ["footnote-extract-1", true],
      ["big", false],
    ]);
  });

  it("rejects incomplete entries, unknown fields and invalid values", () => {
    for (const entry of [{}, { id: "x", retires: 3 }, { id: "x", context_length: 0 }]) {
      expect(() => readCatalogue(JSON.stringify([entry]))).toThrow();
    }
    expect(() => readCatalogue("[not json")).toThrow();
  });

  it.each([
    [
      "invalid JSON",
      '[{"id": "a", "upstream": {"api_key": "sk-secret"}]',
      /MODELS .* not valid JSON/,
    ],
    [
      "an unknown fallback",
      '[{"id": "a", "fallback": "b"}]',
      /MODELS names 'b' as the fallback of 'a'/,
    ],
    [
      "a fallback to itself",
      '[{"id": "a", "fallback": "a"}]',
      /MODELS names 'a' .* the same model/,
    ],
    ["an id twice", '[{"id": "a"}, {"id": "a"}]', /MODELS has two entries with the id 'a'/],
    ["an unknown field", '[{"id": "a", "retires": 3}]', /MODELS is not right: entry 1: .*retires/],
    ["an invalid value", '[{"id": "a"}, {"id": "b", "retries": -1}]', /entry 2: 'retries'/],
    ["a field that can't be allowed", '[{"id": "a", "allow_fields": ["x"]}]', /'allow_fields.0'/],
  ])(
    "rejects %s with a sentence that names MODELS and contains no key",
    (_name, models, sentence) => {
      expect(() => readCatalogue(models)).toThrow(sentence);
      expect(() => readCatalogue(models)).not.toThrow(/sk-secret/);
    },
  );
});
