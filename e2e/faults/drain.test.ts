import { expect, it, onTestFinished } from "vitest";
import { script } from "../clients/scenario";
import { startServer } from "../product";
import {
  ask,
  chat,
  expectMoneyAddsUp,
  handbook,
  micros,
  openStream,
  prepare,
  readCredits,
  readDemo,
  until,
  upload,
} from "./product";

const CONCURRENT_REQUESTS = 40;
const DELAY_SECONDS = 4;
const GRACE_SECONDS = 13;
const WORDS = 6;
const EXIT_CODE_OF_SIGTERM = 143;

const slow = script({ text: "word ".repeat(WORDS).trim(), pieceMs: 1000 });
const endless = script({ text: "word ".repeat(2000).trim(), pieceMs: 100 });

it("rejects requests above its limit and finishes running ones when stopped", {
  timeout: 240_000,
}, async () => {
  const options = await prepare("drain", {
    MAX_CONCURRENT_REQUESTS: String(CONCURRENT_REQUESTS),
    MAX_CONCURRENT_REQUESTS_PER_ACCOUNT: String(CONCURRENT_REQUESTS),
    SHUTDOWN_DELAY_SECONDS: String(DELAY_SECONDS),
    SHUTDOWN_GRACE_SECONDS: String(GRACE_SECONDS),
  });
  const first = await startServer(options);
  onTestFinished(first.stop);
  const { test_key: key } = await readDemo(options);
  const completions = `${first.url}/v1/chat/completions`;

  // Overload: requests above the limit are rejected immediately.
  const held = script({ text: "held", delayMs: 3000 });
  const answers = await Promise.all(
    Array.from({ length: 2 * CONCURRENT_REQUESTS }, () => ask(completions, key, chat(held))),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThanOrEqual(CONCURRENT_REQUESTS);
  expect(answers.length - refused.length).toBeGreaterThan(CONCURRENT_REQUESTS / 2);
  for (const { status, code, retryAfter } of refused) {
    // A request whose body came after its head was let in, and is one too many of its account.
    expect(["503 service_unavailable", "429 rate_limit_exceeded"]).toContain(`${status} ${code}`);
    expect(retryAfter).toBe("1");
  }
  expect((await ask(completions, key, chat(script({ text: "again" })))).status).toBe(200);
  const before = await readCredits(first, key);
  expect(before.held_usd).toBe("0.000000");

  const short = await openStream(first, key, chat(slow));
  const cut = await Promise.all([1, 2, 3].map(() => openStream(first, key, chat(endless))));
  const job = await upload(first, key, handbook(1, 40));
  const stoppedAt = Date.now();
  first.signal("SIGTERM");

  // Requests are still accepted while the health check drains traffic.
  const health = await until("a draining health check", DELAY_SECONDS * 1000, async () => {
    const answer = await ask(`${first.url}/api/health`, "");
    return answer.status === 503 && answer;
  });
  expect(JSON.parse(health.body).error).toMatchObject({
    code: "service_unavailable",
    status: "draining",
  });
  const last = await ask(completions, key, chat(script({ text: "last" })));
  expect([last.status, last.connection]).toEqual([200, "close"]);
  await until("a refused connection", GRACE_SECONDS * 1000, async () => {
    return (await ask(`${first.url}/api/health`, "")).status === 0;
  });

  // Streams can finish during the grace period; the rest end with an error and are billed.
  expect(await short.ended).toBe("whole");
  expect(short.events.at(-1)).toBe("[DONE]");
  expect(await Promise.all(cut.map(({ ended }) => ended))).toEqual(["whole", "whole", "whole"]);
  for (const { events } of cut) {
    expect(JSON.parse(events.at(-1) ?? "").error).toMatchObject({
      code: "service_unavailable",
      type: "server_error",
    });
  }
  expect(await first.ended).toBe(EXIT_CODE_OF_SIGTERM);
  expect(Date.now() - stoppedAt).toBeGreaterThan((GRACE_SECONDS - 1) * 1000);

  const second = await startServer(options);
  onTestFinished(second.stop);
  const after = await readCredits(second, key);
  const words = cut.reduce((sum, { events }) => sum + events.filter(hasText).length, 0);
  const charged = micros(before.balance_usd) - micros(after.balance_usd);
  // Ingestion costs little, and the charge may include a token the client no longer received.
  expect(charged).toBeGreaterThanOrEqual(words + WORDS + 1);
  await until("the end of the job", 60_000, async () => {
    const { body } = await ask(`${second.url}/v1/kb/jobs/${job}?wait=5`, key);
    return JSON.parse(body).status === "completed";
  });
  expect((await readCredits(second, key)).held_usd).toBe("0.000000");

  // A second signal exits immediately.
  const open = await openStream(second, key, chat(endless));
  const signalledAt = Date.now();
  second.signal("SIGTERM");
  await until("draining", GRACE_SECONDS * 1000, async () => {
    return (await ask(`${second.url}/api/health`, "")).status !== 200;
  });
  await until("another second", 2000, () => Date.now() - signalledAt > 1200);
  second.signal("SIGTERM");
  await second.ended;
  expect(Date.now() - signalledAt).toBeLessThan((GRACE_SECONDS - 2) * 1000);
  expect(await open.ended).toBe("broken");
  expectMoneyAddsUp(options);
});

function hasText(event: string): boolean {
  return event !== "[DONE]" && Boolean(JSON.parse(event).choices?.[0]?.delta.content);
}
