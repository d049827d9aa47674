import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import OpenAI from "openai";
import { expect, it, onTestFinished } from "vitest";
import { startScriptedUpstream } from "@/lib/testing/scripted-upstream";
import { SCRIPTED_MODEL, script } from "../clients/scenario";
import { createDatabase, startServer } from "../clients/server";

const root = path.resolve(import.meta.dirname, "../..");
const OPEN_STREAMS = 50;
const WHOLE_ANSWERS = 10;
const WORDS = 7;
const LEASE_SECONDS = 5;
/** A sweep, and the time a busy machine takes for it. */
const SWEEP_GRACE_MS = 15_000;

interface Credits {
  balance_usd: string;
  held_usd: string;
}

it("a server killed with 50 open streams charges each request once or not at all, and keeps no money", {
  timeout: 240_000,
}, async () => {
  const options = await prepare();
  const first = await startServer(options);
  const demo = JSON.parse(await readFile(path.join(options.dataDir, "demo.json"), "utf8"));
  const before = await readCredits(first.url, demo.test_key);
  const client = new OpenAI({
    apiKey: demo.test_key,
    baseURL: `${first.url}/v1`,
    maxRetries: 0,
  });
  const whole = script({ text: "word ".repeat(WORDS).trim() });
  const answers = await Promise.all(
    Array.from({ length: WHOLE_ANSWERS }, () => client.chat.completions.create(request(whole))),
  );
  // More than three minutes of words.
  const endless = script({ text: "word ".repeat(2000).trim(), pieceMs: 100 });
  const streams = await Promise.all(
    Array.from({ length: OPEN_STREAMS }, async () => {
      const stream = await client.chat.completions.create({ ...request(endless), stream: true });
      const chunks = stream[Symbol.asyncIterator]();
      await chunks.next();
      return chunks;
    }),
  );
  expect(Number((await readCredits(first.url, demo.test_key)).held_usd)).toBeGreaterThan(0);

  await first.kill();
  const ends = streams.map((chunks) => readToEnd(chunks));
  expect(await Promise.all(ends)).toEqual(streams.map(() => "broken"));

  const second = await startServer(options);
  onTestFinished(second.stop);
  const deadline = Date.now() + LEASE_SECONDS * 1000 + SWEEP_GRACE_MS;
  let after = await readCredits(second.url, demo.test_key);
  while (Number(after.held_usd) > 0 && Date.now() < deadline) {
    await sleep(100);
    after = await readCredits(second.url, demo.test_key);
  }
  expect(after.held_usd).toBe("0.000000");
  const paid = answers.map(({ usage }) => (usage as { cost_usd?: string })?.cost_usd);
  expect(paid).toEqual(answers.map(() => `0.${String(WORDS).padStart(6, "0")}`));
  expect(micros(before.balance_usd) - micros(after.balance_usd)).toBe(WHOLE_ANSWERS * WORDS);

  await second.stop();
  const audit = spawnSync("npm", ["run", "--silent", "billing", "--", "audit"], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: options.databaseUrl, DATA_DIR: options.dataDir },
    encoding: "utf8",
  });
  expect({ status: audit.status, errors: audit.stderr }).toEqual({ status: 0, errors: "" });
});

async function prepare() {
  const folder = await mkdtemp(path.join(os.tmpdir(), "footnote-faults-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const upstream = await startScriptedUpstream();
  onTestFinished(upstream.close);
  const database = await createDatabase("faults");
  onTestFinished(database.drop);
  const perToken = { input: 0, output: 1 };
  return {
    dataDir: path.join(folder, "data"),
    databaseUrl: database.url,
    models: [
      { id: "footnote-extract-1" },
      {
        id: SCRIPTED_MODEL,
        upstream: { base_url: upstream.url, api_key: "upstream-key" },
        retries: 0,
        rates: { core: perToken, grounded: perToken },
      },
    ],
    env: { HOLD_LEASE_SECONDS: String(LEASE_SECONDS) },
  };
}

function request(content: string) {
  return { model: SCRIPTED_MODEL, messages: [{ role: "user" as const, content }] };
}

async function readToEnd(chunks: AsyncIterator<unknown>): Promise<"whole" | "broken"> {
  try {
    while (!(await chunks.next()).done) {}
    return "whole";
  } catch {
    return "broken";
  }
}

async function readCredits(url: string, key: string): Promise<Credits> {
  const response = await fetch(`${url}/v1/billing/credits`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return response.json();
}

function micros(usd: string): number {
  return Math.round(Number(usd) * 1_000_000);
}
