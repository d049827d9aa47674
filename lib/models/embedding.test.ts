import { describe, expect, it, onTestFinished, vi } from "vitest";
import { EnvSchema, env } from "@/lib/platform/env";
import { fakeVector } from "@/lib/testing/fake-embeddings";
import { upstream } from "@/lib/testing/fake-upstream";
import { countTokens } from "@/lib/text/tokens";
import {
  type Embedder,
  embedder,
  openEmbedder,
  readEmbeddingSettings,
  replaceEmbedder,
} from "./embedding";

const never = new AbortController().signal;
const DIMENSION_CHECK = { after: 1 };
let made = 0;

/** Gives each test its own model, whose requests are found by its name. */
function scripted(script: object = {}, variables: Record<string, string> = {}) {
  made += 1;
  const name = `embed-${made}`;
  const all = {
    EMBEDDING_MODEL: `embed script:${JSON.stringify({ name, ...script })}`,
    EMBEDDING_BASE_URL: upstream().url,
    ...variables,
  };
  const seen = () => upstream().seen.filter(({ body }) => body.model?.includes(`"${name}"`));
  return { variables: all, seen, inputs: () => seen().map(({ body }) => body.input) };
}

async function open(script?: object, variables?: Record<string, string>) {
  const model = scripted(script, variables);
  const settings = readEmbeddingSettings(EnvSchema.parse(model.variables));
  if (!settings) {
    throw new Error("no model is set");
  }
  return { ...model, model: await openEmbedder(settings) };
}

function configure(variables: Record<string, string>) {
  const before = { ...env };
  onTestFinished(() => {
    // Variables that this test added must not leak into later test files.
    for (const name of Object.keys(env)) {
      Reflect.deleteProperty(env, name);
    }
    Object.assign(env, before);
    replaceEmbedder(undefined);
  });
  Object.assign(env, EnvSchema.parse({ ...variables }));
  replaceEmbedder(undefined);
}

function similarity(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, place) => sum + value * (b[place] ?? 0), 0);
}

describe("the embedder", () => {
  it("is null without a model, and can be replaced in tests", async () => {
    configure({});
    expect(await embedder(never)).toBe(null);
    const { model } = await open();
    replaceEmbedder(model);
    expect(await embedder(never)).toBe(model);
    replaceEmbedder(null);
    expect(await embedder(never)).toBe(null);
  });

  it("asks the model for its dimensions once, even with concurrent callers", async () => {
    const { variables, seen } = scripted();
    configure(variables);
    const [first, second] = await Promise.all([embedder(never), embedder(never)]);
    expect(await embedder(never)).toBe(first);
    expect(second).toBe(first);
    expect(first).toMatchObject({ dimensions: 64 });
    expect(seen()).toHaveLength(1);
  });

  it("tries again after a failed first use", async () => {
    // The first use is urgent, so it is attempted twice.
    const { variables } = scripted({ failures: 2 });
    configure(variables);
    await expect(embedder(never)).rejects.toThrow("returned status 500");
    expect(await embedder(never)).toMatchObject({ dimensions: 64 });
  });

  it("finishes opening even if the first caller aborts", async () => {
    const { variables, seen } = scripted({ delayMs: 300 });
    configure(variables);
    const impatient = embedder(AbortSignal.timeout(50));
    const patient = embedder(never);
    await expect(impatient).rejects.toMatchObject({ name: "TimeoutError" });
    expect(await patient).toMatchObject({ dimensions: 64 });
    await expect(embedder(AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
    expect(seen()).toHaveLength(1);
  });

  it("names its vector space after the model, dimensions and passage prefix", async () => {
    const space = async (variables: Record<string, string>) => (await open({}, variables)).model;
    const plain = await space({});
    expect(plain.space).toMatch(/^embed script:.*@64$/);
    expect((await space({ EMBEDDING_DIMENSIONS: "32" })).space).toMatch(/@32$/);
    expect((await space({ EMBEDDING_QUERY_PREFIX: "query: " })).space).toMatch(/@64$/);
    expect((await space({ EMBEDDING_PASSAGE_PREFIX: "passage: " })).space).toMatch(
      /@64#[0-9a-f]{8}$/,
    );
  });

  it("rejects dimensions that differ from the setting or can't be stored", async () => {
    await expect(open({ dimensions: 48 }, { EMBEDDING_DIMENSIONS: "32" })).rejects.toThrow(
      "returned 48 dimensions, but EMBEDDING_DIMENSIONS is 32",
    );
    await expect(open({ dimensions: 4096 })).rejects.toThrow("1 to 3800 can be stored");
    await expect(open({ item: { embedding: [] } })).rejects.toThrow("returned 0 dimensions");
    expect((await open({ dimensions: 3800 })).model.dimensions).toBe(3800);
  });
});

describe("the embedding model's variables", () => {
  const read = (variables: Record<string, string>) =>
    readEmbeddingSettings(EnvSchema.parse({ EMBEDDING_MODEL: "m", ...variables }));
  const OPENAI_API_KEY = "sk-shared";
  const EMBEDDING_API_KEY = "sk-own";
  const OPENAI_BASE_URL = "http://shared.test/v1";
  const EMBEDDING_BASE_URL = "http://own.test/v1";

  it.each([
    [{ OPENAI_API_KEY }, "https://api.openai.com/v1", "sk-shared"],
    [{ OPENAI_API_KEY, OPENAI_BASE_URL }, OPENAI_BASE_URL, "sk-shared"],
    [{ OPENAI_API_KEY, EMBEDDING_API_KEY }, "https://api.openai.com/v1", "sk-own"],
    [{ OPENAI_API_KEY, OPENAI_BASE_URL, EMBEDDING_BASE_URL }, EMBEDDING_BASE_URL, "none"],
    [{ OPENAI_API_KEY, EMBEDDING_API_KEY, EMBEDDING_BASE_URL }, EMBEDDING_BASE_URL, "sk-own"],
  ])("select the address and its key for %o", (variables, baseUrl, apiKey) => {
    expect(read(variables)).toMatchObject({ baseUrl, apiKey });
  });

  it("never send the shared key to another address", async () => {
    const { seen } = await open({}, { OPENAI_API_KEY });
    expect(seen()[0]?.authorization).toBe("Bearer none");
    const own = await open({}, { OPENAI_API_KEY, EMBEDDING_API_KEY });
    expect(own.seen()[0]?.authorization).toBe("Bearer sk-own");
  });

  it("must have a valid URL and dimensions that can be stored", () => {
    expect(() => read({ EMBEDDING_BASE_URL: "localhost:11434/v1" })).toThrow(/whole address/);
    expect(() => read({ EMBEDDING_DIMENSIONS: "3801" })).toThrow(/EMBEDDING_DIMENSIONS/);
  });
});

describe("passages", () => {
  const words = ["heart", "kidney", "liver", "lung", "spleen", "stomach", "brain", "bone", "skin"];

  it("are embedded in batches, with vectors in the order of their texts", async () => {
    const script = { isReversed: true, delayMs: 20 };
    const { model, inputs } = await open(script, { EMBEDDING_BATCH_SIZE: "4" });
    const vectors = await model.embedPassages(words, never);
    const sizes = inputs().map((input) => input?.length ?? 0);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(1 + words.length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(4);
    expect(vectors).toHaveLength(words.length);
    for (const [place, vector] of vectors.entries()) {
      const right = fakeVector(words[place] ?? "");
      expect(similarity(vector, right)).toBeCloseTo(1, 5);
    }
    expect(await model.embedPassages([], never)).toEqual([]);
  });

  it("and queries become unit vectors", async () => {
    const { model } = await open({ noBase64: true, item: { embedding: [30, -40] } });
    const [passage] = await model.embedPassages(["heart"], never);
    const right = Float32Array.of(0.6, -0.8);
    expect([passage, await model.embedQuery("heart", never)]).toEqual([right, right]);
  });

  it("are more similar to a query that shares their words", async () => {
    const { model } = await open();
    const [near, far] = await model.embedPassages(
      ["The infarction of the heart", "Breaking a leg when skiing"],
      never,
    );
    const query = await model.embedQuery("What are heart infarctions?", never);
    expect(similarity(query, near ?? query)).toBeGreaterThan(0.9);
    expect(similarity(query, far ?? query)).toBeLessThan(0.5);
  });

  it("are batched within a request's token limit", async () => {
    const { model, inputs } = await open();
    const passage = "word ".repeat(8000);
    await model.embedPassages(
      Array.from({ length: 26 }, () => passage),
      never,
    );
    const sent = inputs().slice(1);
    expect(sent.flat()).toHaveLength(26);
    for (const input of sent) {
      const tokens = [input ?? []].flat().reduce((sum, text) => sum + countTokens(text), 0);
      expect(tokens).toBeLessThan(200_000);
    }
  });

  it("are sent in as many concurrent requests as allowed, without delaying queries", async () => {
    const variables = { EMBEDDING_BATCH_SIZE: "1", EMBEDDING_CONCURRENCY: "2" };
    const { model, seen } = await open({ ...DIMENSION_CHECK, delayMs: 60 }, variables);
    await Promise.all([model.embedPassages(words, never), model.embedPassages(words, never)]);
    expect(Math.max(...seen().map(({ concurrency }) => concurrency))).toBe(2);
    const passages = model.embedPassages(words, never);
    await model.embedQuery("heart", never);
    expect(seen().length).toBeLessThan(1 + 2 * words.length + words.length);
    await passages;
  });

  it("are embedded all or not at all", async () => {
    const variables = { EMBEDDING_BATCH_SIZE: "2", EMBEDDING_CONCURRENCY: "1" };
    const { model, seen } = await open({ after: 2, status: 400 }, variables);
    await expect(model.embedPassages(words, never)).rejects.toThrow("status 400");
    // The next call runs after any remaining batch of the failed one.
    await expect(model.embedPassages(["heart"], never)).rejects.toThrow("status 400");
    expect(seen()).toHaveLength(4);
  });

  it("stop when the signal aborts, whether in flight or queued", async () => {
    const { model, seen } = await open(
      { ...DIMENSION_CHECK, delayMs: 3000 },
      { EMBEDDING_CONCURRENCY: "1" },
    );
    const stop = new AbortController();
    const running = model.embedPassages(["heart"], stop.signal);
    const waiting = model.embedPassages(["kidney"], AbortSignal.timeout(100));
    await expect(waiting).rejects.toMatchObject({ name: "TimeoutError" });
    stop.abort(new Error("no longer wanted"));
    await expect(running).rejects.toThrow("no longer wanted");
    await vi.waitFor(() => expect(seen()[1]?.isAborted).toBe(true));
    expect(seen()).toHaveLength(2);
  });

  it("and queries are cut at the model's token limit, to which their prefixes count", async () => {
    const { model, inputs } = await open(
      {},
      { EMBEDDING_MAX_TOKENS: "16", EMBEDDING_QUERY_PREFIX: "query: " },
    );
    const long = "heart and kidney ".repeat(20);
    await model.embedPassages([long, "short"], never);
    await model.embedQuery(long, never);
    const [, passage = "", short, query = ""] = inputs().flat();
    expect(short).toBe("short");
    for (const [whole, cut] of [
      [long, passage],
      [`query: ${long}`, query],
    ] as const) {
      expect(countTokens(cut)).toBe(16);
      expect(whole.startsWith(cut)).toBe(true);
    }
  });

  it("and queries get their own prefixes", async () => {
    const { model, inputs } = await open(
      {},
      { EMBEDDING_QUERY_PREFIX: "query: ", EMBEDDING_PASSAGE_PREFIX: "passage: " },
    );
    await model.embedPassages(["heart"], never);
    await model.embedQuery("heart", never);
    expect(inputs().slice(1)).toEqual([["passage: heart"], ["query: heart"]]);
  });

  const USELESS: [string, object, string][] = [
    ["with different dimensions", { dimensions: 32 }, "returned 32 dimensions instead of 64"],
    [
      "of zeros",
      { noBase64: true, item: { embedding: Array(64).fill(0) } },
      "a vector of length 0",
    ],
    [
      "of infinite length",
      { noBase64: true, item: { embedding: Array(64).fill(Number.MAX_VALUE) } },
      "a vector of length Infinity",
    ],
  ];

  it.each(USELESS)("and queries reject a vector %s", async (_, script, reason) => {
    const { model } = await open({ ...DIMENSION_CHECK, ...script });
    const both: ((embedder: Embedder) => Promise<unknown>)[] = [
      (opened) => opened.embedPassages(["heart"], never),
      (opened) => opened.embedQuery("heart", never),
    ];
    for (const embed of both) {
      await expect(embed(model)).rejects.toThrow(reason);
    }
  });
});

describe("a slow model", () => {
  const passages = Array.from({ length: 12 }, (_, index) => `passage ${index}`);

  it("is sent one text at first, and more while it is fast", async () => {
    const { model, inputs } = await open({}, { EMBEDDING_CONCURRENCY: "1" });
    await model.embedPassages(passages, never);
    expect(inputs().map((input) => input?.length)).toEqual([1, 1, 2, 4, 5]);
  });

  it("is asked again for half of what it didn't embed in time", async () => {
    const variables = { EMBEDDING_CONCURRENCY: "1", EMBEDDING_TIMEOUT_MS: "600" };
    const { model, inputs } = await open({ after: 4, textMs: 210 }, variables);
    const vectors = await model.embedPassages(passages, never);
    expect(vectors).toHaveLength(passages.length);
    for (const [place, vector] of vectors.entries()) {
      expect(similarity(vector, fakeVector(passages[place] ?? ""))).toBeCloseTo(1, 5);
    }
    const [late, ...retried] = inputs()
      .slice(4)
      .map((input) => input?.length ?? 0);
    expect(late).toBe(5);
    expect(Math.max(...retried)).toBe(3);
  });

  it("names the variable that bounds its time", async () => {
    const { model } = await open(
      { ...DIMENSION_CHECK, delayMs: 5000 },
      { EMBEDDING_TIMEOUT_MS: "100" },
    );
    await expect(model.embedQuery("heart", never)).rejects.toThrow("EMBEDDING_TIMEOUT_MS");
  });

  it("gets a query before passages that aren't sent yet", async () => {
    const { model, inputs } = await open(
      { ...DIMENSION_CHECK, delayMs: 30 },
      { EMBEDDING_CONCURRENCY: "1", EMBEDDING_BATCH_SIZE: "1" },
    );
    const running = model.embedPassages(["a", "b", "c"], never);
    await model.embedQuery("heart", never);
    await running;
    expect(inputs().flat().slice(1)).toEqual(["heart", "a", "b", "c"]);
  });

  it("is sent less at once after a query was late", async () => {
    const { model, inputs } = await open(
      { ...DIMENSION_CHECK, delayMs: 20 },
      { EMBEDDING_CONCURRENCY: "1" },
    );
    await model.embedPassages(passages, never);
    await expect(model.embedQuery("late", AbortSignal.timeout(1))).rejects.toMatchObject({
      name: "TimeoutError",
    });
    await model.embedPassages(passages, never);
    expect(
      inputs()
        .slice(-2)
        .map((input) => input?.length),
    ).toEqual([6, 6]);
  });
});
