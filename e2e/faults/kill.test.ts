import OpenAI from "openai";
import { expect, it, onTestFinished } from "vitest";
import { SCRIPTED_MODEL, script } from "../clients/scenario";
import { type RunningServer, startServer } from "../product";
import {
  ask,
  expectMoneyAddsUp,
  handbook,
  LEASE_SECONDS,
  micros,
  prepare,
  readCredits,
  readDemo,
  until,
  upload,
} from "./product";

const OPEN_STREAMS = 50;
const JOBS = 20;
const INGEST_MICROS_PER_THOUSAND = 20;
const JOBS_MS = 120_000;
const WAIT_SECONDS = 5;
const WHOLE_ANSWERS = 10;
const WORDS = 7;
/** Time for a recovery sweep on a busy machine. */
const SWEEP_GRACE_MS = 15_000;

it("loses nothing and charges at most once when killed with 50 open streams and 20 jobs", {
  timeout: 240_000,
}, async () => {
  const options = await prepare("kill");
  const first = await startServer(options);
  const demo = await readDemo(options);
  const before = await readCredits(first, demo.test_key);
  const client = new OpenAI({
    apiKey: demo.test_key,
    baseURL: `${first.url}/v1`,
    maxRetries: 0,
  });
  const whole = script({ text: "word ".repeat(WORDS).trim() });
  const answers = await Promise.all(
    Array.from({ length: WHOLE_ANSWERS }, () => client.chat.completions.create(request(whole))),
  );
  // More than three minutes of output.
  const endless = script({ text: "word ".repeat(2000).trim(), pieceMs: 100 });
  const streams = await Promise.all(
    Array.from({ length: OPEN_STREAMS }, async () => {
      const stream = await client.chat.completions.create({ ...request(endless), stream: true });
      const chunks = stream[Symbol.asyncIterator]();
      await chunks.next();
      return chunks;
    }),
  );
  expect(Number((await readCredits(first, demo.test_key)).held_usd)).toBeGreaterThan(0);

  const jobs = await Promise.all(
    Array.from({ length: JOBS }, (_, number) => upload(first, demo.test_key, handbook(number, 40))),
  );
  expect(
    (await Promise.all(jobs.map((id) => readJob(first, demo.test_key, id)))).some(isOpen),
  ).toBe(true);

  await first.kill();
  const ends = streams.map((chunks) => readToEnd(chunks));
  expect(await Promise.all(ends)).toEqual(streams.map(() => "broken"));

  const second = await startServer(options);
  onTestFinished(second.stop);
  const ended = await Promise.all(
    jobs.map((id) =>
      until(`the end of job ${id}`, JOBS_MS, async () => {
        const job = await readJob(second, demo.test_key, id, WAIT_SECONDS);
        return job && !isOpen(job) && job;
      }),
    ),
  );
  expect(ended.map(({ status }) => status)).toEqual(jobs.map(() => "completed"));
  const after = await until("all holds closed", LEASE_SECONDS * 1000 + SWEEP_GRACE_MS, async () => {
    const credits = await readCredits(second, demo.test_key);
    return credits.held_usd === "0.000000" && credits;
  });
  const paid = answers.map(({ usage }) => (usage as { cost_usd?: string })?.cost_usd);
  expect(paid).toEqual(answers.map(() => `0.${String(WORDS).padStart(6, "0")}`));
  const ingested = ended.reduce((sum, { report }) => sum + ingestMicros(report?.tokens ?? 0), 0);
  expect(ingested).toBeGreaterThan(0);
  expect(micros(before.balance_usd) - micros(after.balance_usd)).toBe(
    WHOLE_ANSWERS * WORDS + ingested,
  );

  await second.stop();
  expectMoneyAddsUp(options);
});

interface Job {
  status: string;
  report: { tokens: number } | null;
}

/** Null when the server reports overload. */
async function readJob(
  { url }: RunningServer,
  key: string,
  id: string,
  waitSeconds = 0,
): Promise<Job | null> {
  const { status, body } = await ask(`${url}/v1/kb/jobs/${id}?wait=${waitSeconds}`, key);
  if (status !== 200 && status !== 503) {
    throw new Error(`job ${id} could not be read: ${status} ${body}`);
  }
  return status === 200 ? JSON.parse(body) : null;
}

function isOpen(job: Job | null): boolean {
  return job?.status === "queued" || job?.status === "processing";
}

/** At the default rate. */
function ingestMicros(tokens: number): number {
  return Math.ceil((tokens * INGEST_MICROS_PER_THOUSAND) / 1000);
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
