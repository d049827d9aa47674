import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { text as readText } from "node:stream/consumers";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { db } from "@/lib/platform/db/client";
import { makeKeyedAccount } from "@/lib/testing/factories";
import {
  boundCost,
  chatCost,
  ingestCost,
  ModelRates,
  RATES,
  resolveRates,
  searchCost,
} from "./rates";

const REQUESTS = 1_000_000;
const MOST_TOKENS = 10_000_000;

/** A random number generator with the same sequence in every run (mulberry32). */
function seeded(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * limit);
  };
}

/** Rates with three decimal places, including zero, the smallest and the largest, paired with their thousandths. */
function makeRates(pick: (limit: number) => number) {
  const thousandths = [
    0,
    1,
    7,
    999,
    1001,
    10_000_000,
    ...Array.from({ length: 60 }, () => pick(10_000_001)),
  ];
  return Array.from({ length: 60 }, () => {
    const input = thousandths[pick(thousandths.length)] ?? 0;
    const output = thousandths[pick(thousandths.length)] ?? 0;
    // Parse the decimal form, as in a rates file; a division could round differently.
    const rate = { input: Number(decimal(input)), output: Number(decimal(output)) };
    return {
      rates: ModelRates.parse({ core: rate, grounded: rate }),
      input: BigInt(input),
      output: BigInt(output),
    };
  });
}

function decimal(thousandths: number): string {
  return `${Math.floor(thousandths / 1000)}.${String(thousandths % 1000).padStart(3, "0")}`;
}

/** Mostly small requests, and a few extreme ones. */
function tokens(pick: (limit: number) => number): number {
  const size = pick(10);
  return size === 0 ? MOST_TOKENS - pick(2) : pick(size < 7 ? 3000 : MOST_TOKENS + 1);
}

async function fileOf(text: string): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "footnote-rates-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, "rates.json");
  await writeFile(file, text);
  return file;
}

const flat = (usd: number) => ({
  core: { input: usd, output: usd },
  grounded: { input: usd, output: usd },
});

describe("rounding", () => {
  it("adds less than a micro-dollar to each of a million random requests", () => {
    const pick = seeded(20_261_122);
    const tables = makeRates(pick);
    // In thousandths of a micro-dollar, every exact cost is an integer.
    let excess = 0n;
    let wrong = 0;
    for (let request = 0; request < REQUESTS; request += 1) {
      const { rates, input, output } = tables[pick(tables.length)] as (typeof tables)[number];
      const used = { prompt: tokens(pick), completion: tokens(pick) };
      const exact = BigInt(used.prompt) * input + BigInt(used.completion) * output;
      const over = chatCost(rates, "core", used) * 1000n - exact;
      wrong += over < 0n || over >= 1000n ? 1 : 0;
      excess += over;
    }
    expect(wrong).toBe(0);
    expect(excess).toBeGreaterThan(0n);
    expect(excess).toBeLessThan(1000n * BigInt(REQUESTS));
  });

  it("adds less than a micro-dollar to each ingested document", () => {
    const pick = seeded(7);
    for (let document = 0; document < 20_000; document += 1) {
      const count = tokens(pick);
      // 0.00002 dollars a thousand: a fiftieth of a micro-dollar each.
      const over = ingestCost(count) * 50n - BigInt(count);
      expect(over >= 0n && over < 50n).toBe(true);
    }
  });

  it("allows exactly the tokens that the amount covers", () => {
    const pick = seeded(42);
    const tables = makeRates(pick).filter(({ output }) => output > 0n);
    for (let request = 0; request < 20_000; request += 1) {
      const { rates } = tables[pick(tables.length)] as (typeof tables)[number];
      const prompt = tokens(pick);
      const availableMicros = chatCost(rates, "core", { prompt, completion: tokens(pick) });
      const bounds = { prompt, output: 1, answers: 1, extraMicros: 0n };
      const most = boundCost(rates, "core", bounds).affordableTokens(availableMicros);
      const costOf = (completion: number) => chatCost(rates, "core", { prompt, completion });
      expect(costOf(most) <= availableMicros && costOf(most + 1) > availableMicros).toBe(true);
    }
  });
});

describe("a rates file", () => {
  it("overrides the rates it names and keeps the defaults for the rest", async () => {
    const file = await fileOf(
      JSON.stringify({ upstream: flat(2.5), models: { fast: flat(0.001) }, search_usd: 0.000001 }),
    );
    const rates = resolveRates(file);
    expect(rates).toEqual({
      ...RATES,
      upstream: flat(2.5),
      models: new Map([["fast", flat(0.001)]]),
      searchUsd: 0.000001,
    });
    expect(resolveRates(await fileOf("{}"))).toEqual(resolveRates(undefined));
  });

  it.each([
    ['{"search_usd": -1}', "'search_usd': "],
    ['{"search_usd": "0.5"}', "'search_usd': "],
    ['{"search_usd": 0.0000005}', "'search_usd': "],
    ['{"ingest_usd_per_thousand_tokens": 1e9}', "'ingest_usd_per_thousand_tokens': "],
    ['{"embedded": {"core": {"input": 1, "output": 2}}}', "'embedded.grounded': "],
    [
      JSON.stringify({ models: { fast: { ...flat(1), core: { input: 0.0001, output: 1 } } } }),
      "'models.fast.core.input': ",
    ],
    ['{"serach_usd": 1}', "'serach_usd': is not a field of it"],
    ['{"upstream": {"core": {"inptu": 1}}}', "upstream.core"],
    ["[]", "expected object"],
    ["null", "expected object"],
    ['{"search_usd": ', "is not JSON"],
    ["", "is not JSON"],
  ])(
    "with %s prevents the start with an error that names the file and field",
    async (text, problem) => {
      const file = await fileOf(text);
      expect(() => resolveRates(file)).toThrow(problem);
      expect(() => resolveRates(file)).toThrow(file);
    },
  );

  it("prevents the start when it is missing", () => {
    expect(() => resolveRates("/nowhere/rates.json")).toThrow(
      /RATES_FILE names \/nowhere\/rates.json, which cannot be read: ENOENT/,
    );
  });
});

describe("a process", () => {
  it("does not start with an invalid rates file", { timeout: 120_000 }, async () => {
    const file = await fileOf('{"search_usd": -1}');
    const child = spawn(
      process.execPath,
      ["--conditions=react-server", "--import", "tsx", "scripts/setup.ts"],
      { env: { ...process.env, RATES_FILE: file }, stdio: ["ignore", "ignore", "pipe"] },
    );
    const [output, [code]] = await Promise.all([readText(child.stderr), once(child, "exit")]);
    expect(code).toBe(1);
    expect(output).toContain(`The rates in ${file} (RATES_FILE) are not right: 'search_usd': `);
  });
});

/** The product's modules as loaded by a process that started with this rates file. */
async function startedWith(rates: object) {
  vi.stubEnv("RATES_FILE", await fileOf(JSON.stringify(rates)));
  vi.resetModules();
  const [{ call }, { readCatalogue }, { listRates }] = await Promise.all([
    import("@/lib/testing/api"),
    import("@/lib/models/catalogue"),
    import("@/lib/models/rate-list"),
  ]);
  return { call, readCatalogue, listRates };
}

function stopAfterwards(): void {
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.resetModules();
  });
}

describe("the resolved rates", () => {
  it("come from the model's entry, then the file's model, then the file's model kind", async () => {
    stopAfterwards();
    const { readCatalogue, listRates } = await startedWith({
      upstream: flat(3),
      models: { named: flat(2), both: flat(2), "footnote-extract-1": flat(0.5) },
    });
    const ids = ["named", "both", "other"];
    const entries = ids.map((id) => ({ id, ...(id === "both" && { rates: flat(1) }) }));
    const catalogue = readCatalogue(JSON.stringify(entries));
    expect(catalogue.map(({ id, rates }) => [id, rates.core.input])).toEqual([
      ["named", 2],
      ["both", 1],
      ["other", 3],
      ["footnote-extract-1", 0.5],
    ]);
    const [own] = readCatalogue(JSON.stringify([{ id: "footnote-extract-1", rates: flat(0.25) }]));
    expect(own?.rates).toEqual(flat(0.25));
    expect(listRates()).toMatchObject({ search_usd: "0.000500" });
  });

  it("are charged and shown, and recorded with each request", async () => {
    stopAfterwards();
    const { id, key } = await makeKeyedAccount();
    const model = "footnote-extract-1";
    const ask = async (usd: number) => {
      const { call } = await startedWith({
        models: { [model]: flat(usd) },
        search_usd: usd / 1000,
      });
      const messages = [{ role: "user", content: "What is a stroke?" }];
      const chat = await call("POST", "/v1/chat/completions", { key, body: { model, messages } });
      const search = await call("POST", "/v1/kb/search", { key, body: { query: "stroke" } });
      const config = await call("GET", "/v1/billing/checkout-config", { key });
      expect([chat.status, search.status, config.status]).toEqual([200, 200, 200]);
      return {
        tokens: chat.json.usage.total_tokens,
        search: search.json.usage,
        config: config.json,
      };
    };
    const first = await ask(7);
    const recordsOf = () =>
      db().usageRecord.findMany({ where: { accountId: id }, orderBy: { id: "asc" } });
    const before = await recordsOf();
    const second = await ask(11);
    const after = await recordsOf();
    expect(after.slice(0, 2)).toEqual(before);
    expect(after.map(({ rate, costMicros }) => [rate, costMicros])).toEqual([
      [{ input: 7, output: 7 }, BigInt(7 * first.tokens)],
      [{ search_usd: 0.007 }, 7000n],
      [{ input: 11, output: 11 }, BigInt(11 * second.tokens)],
      [{ search_usd: 0.011 }, 11_000n],
    ]);
    expect(second.search.cost_usd).toBe("0.011000");
    expect(second.config.rates).toMatchObject({ search_usd: "0.011000" });
    expect(second.config.rates.models[0].core.input_usd_per_million).toBe("11.000000");
    expect(searchCost()).toBe(500n);
  });
});
