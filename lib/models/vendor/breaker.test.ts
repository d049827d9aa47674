import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/id";
import { asTenant } from "@/lib/platform/db/tenant-context";
import { call } from "@/lib/testing/api";
import { makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { upstream } from "@/lib/testing/fake-upstream";
import { captureLog } from "@/tests/planted-secrets";
import { CircuitBreaker, isCircuitOpen } from "./breaker";

/** The longest pause. */
const PAUSE_MS = 5000;
const FIRST_PAUSE_MS = 1000;
const FAILURES = 5;

// Freezes time so that a pause lasts until the test advances the clock, however busy the machine.
beforeEach(() => later(0));
afterEach(() => vi.useRealTimers());

function later(ms: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
}

function begin() {
  const breaker = new CircuitBreaker({ host: "models.example.org", model: "m" });
  const run = <T>(work: () => Promise<T>, signal = new AbortController().signal) =>
    breaker.run({ call: work, signal, isFailure: (cause) => !(cause instanceof AppError) });
  const fail = () => run(() => Promise.reject(new Error("away"))).catch((cause: Error) => cause);
  const open = async () => {
    for (let count = 0; count < FAILURES; count += 1) {
      await fail();
    }
    expect(breaker.isOpen).toBe(true);
  };
  return { breaker, run, fail, open };
}

const answer = async () => "an answer";

describe("an upstream's circuit breaker", () => {
  it("passes on the result or error of the call", async () => {
    const { run, fail } = begin();
    expect(await run(answer)).toBe("an answer");
    expect(await fail()).toMatchObject({ message: "away" });
    const no = new AppError("invalid_request", "No.");
    await expect(run(() => Promise.reject(no))).rejects.toBe(no);
  });

  it("rejects at once with retry-after when the upstream has failed five times in a row", async () => {
    const { run, fail, open } = begin();
    await open();
    const work = vi.fn(answer);
    const refusal = await run(work).catch((cause: unknown) => cause);
    expect(refusal).toMatchObject({ status: 502, code: "upstream_error" });
    expect((refusal as AppError).headers["retry-after"]).toBe("1");
    expect([isCircuitOpen(refusal), isCircuitOpen(await fail())]).toEqual([true, true]);
    expect(work).not.toHaveBeenCalled();
  });

  it.each([
    ["an answer", answer],
    ["a rejected request", () => Promise.reject(new AppError("invalid_request", "No."))],
  ])("resets its failure count after %s", async (_name, work) => {
    const { breaker, run, fail } = begin();
    for (const _ of [1, 2]) {
      for (let count = 1; count < FAILURES; count += 1) {
        await fail();
      }
      await run<unknown>(work).catch(() => {});
    }
    expect(breaker.isOpen).toBe(false);
  });

  it("lets one probe through after a pause, and rejects other calls until it completes", async () => {
    const { breaker, run, open } = begin();
    await open();
    later(PAUSE_MS + 1);
    const trial = Promise.withResolvers<string>();
    const tried = run(() => trial.promise);
    await expect(run(answer)).rejects.toSatisfy(isCircuitOpen);
    trial.resolve("well again");
    expect(await tried).toBe("well again");
    expect([await run(answer), breaker.isOpen]).toEqual(["an answer", false]);
  });

  it("pauses again, for longer, when the probe fails", async () => {
    const { run, fail, open } = begin();
    await open();
    later(FIRST_PAUSE_MS + 1);
    for (const seconds of ["2", "5", "5"]) {
      expect(isCircuitOpen(await fail())).toBe(false);
      const refusal = await run(answer).catch((cause: AppError) => cause);
      expect((refusal as AppError).headers).toEqual({ "retry-after": seconds });
      later(Number(seconds) * 1000 + 1);
    }
    expect(await run(answer)).toBe("an answer");
    await open();
    const refusal = await run(answer).catch((cause: AppError) => cause);
    expect((refusal as AppError).headers).toEqual({ "retry-after": "1" });
  });

  it("learns nothing from aborted calls: an aborted probe makes way for the next", async () => {
    const { breaker, run, fail, open } = begin();
    const left = AbortSignal.abort(new Error("left"));
    const leave = () => run(() => Promise.reject(new Error("cut off")), left);
    for (let count = 1; count < FAILURES; count += 1) {
      await fail();
      await expect(leave()).rejects.toThrow("cut off");
    }
    expect(breaker.isOpen).toBe(false);
    await open();
    later(PAUSE_MS + 1);
    await expect(leave()).rejects.toThrow("cut off");
    expect([await run(answer), breaker.isOpen]).toEqual(["an answer", false]);
  });

  it("stops only the account whose requests fail", async () => {
    const { run, open } = begin();
    await asTenant("poisonous", open);
    await asTenant("poisonous", () => expect(run(answer)).rejects.toSatisfy(isCircuitOpen));
    expect(await asTenant("another", () => run(answer))).toBe("an answer");
  });

  it("stops everyone when the requests of three accounts fail in a row", async () => {
    const { run, fail } = begin();
    const failAs = async (account: string, times: number) => {
      for (let count = 0; count < times; count += 1) {
        await asTenant(account, fail);
      }
    };
    await failAs("a", FAILURES - 1);
    await failAs("b", FAILURES - 1);
    await expect(asTenant("c", () => run(answer))).resolves.toBe("an answer");
    await failAs("d", FAILURES - 2);
    await failAs("e", 1);
    await failAs("f", 1);
    await expect(asTenant("g", () => run(answer))).rejects.toSatisfy(isCircuitOpen);
  });

  it("isn't kept open for others by one account's probes", async () => {
    const { run, fail } = begin();
    const failAs = (account: string) => asTenant(account, fail);
    for (const account of ["a", "b", "c", "a", "b"]) {
      await failAs(account);
    }
    later(FIRST_PAUSE_MS + 1);
    await failAs("a");
    later(PAUSE_MS + 1);
    await failAs("a");
    expect(await asTenant("b", () => run(answer))).toBe("an answer");
  });

  it("logs once when it opens and once when it closes", async () => {
    const { run, fail, open } = begin();
    const log = captureLog();
    await open();
    for (const _ of [1, 2, 3]) {
      await fail();
      later(PAUSE_MS + 1);
      await fail();
    }
    later(PAUSE_MS + 1);
    await run(answer);
    await run(answer);
    log.end();
    const lines = log.lines.map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { msg: expect.stringContaining("circuit open"), err: { message: "away" } },
      { msg: expect.stringContaining("circuit closed"), host: "models.example.org", model: "m" },
    ]);
  });
});

describe("a request to an upstream whose circuit is open", () => {
  const ask = (key: string, model: string, script: object) =>
    call("POST", "/v1/chat/completions", {
      key,
      body: { model, messages: [{ role: "user", content: `script:${JSON.stringify(script)}` }] },
    });
  const asked = (name: string) =>
    upstream().seen.filter(({ body }) => JSON.stringify(body).includes(name)).length;
  const heal = async (key: string, model: string) => {
    later(PAUSE_MS + 1);
    expect((await ask(key, model, { text: "Well." })).json.choices[0].message.content).toBe(
      "Well.",
    );
  };

  it("is rejected without an upstream call or a charge, and succeeds once the upstream recovers", async () => {
    const { key, id } = await makeKeyedAccount();
    for (let count = 0; count < FAILURES; count += 1) {
      expect((await ask(key, "scripted-small", { status: 500 })).status).toBe(502);
    }
    const { status, headers, json } = await ask(key, "scripted-small", { name: "no-call" });
    expect([status, json.error.code, asked("no-call")]).toEqual([502, "upstream_error", 0]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await readMoney(id)).toMatchObject({ balance: 5_000_000n, held: 0n });
    await heal(key, "scripted-small");
  });

  it("goes straight to the fallback", async () => {
    const { key } = await makeKeyedAccount({ models: ["scripted-replaced"] });
    const send = async () => {
      const name = newId("request");
      const script = { name, status: 500, only: "first-model" };
      const { status } = await ask(key, "scripted-replaced", script);
      return [status, asked(name)];
    };
    // A request that a busy machine refuses before its upstream is no failure of the upstream.
    const outcomes: (number | undefined)[][] = [];
    while (outcomes.filter(([, calls]) => calls === 2).length < FAILURES && outcomes.length < 20) {
      outcomes.push(await send());
    }
    expect(await send(), JSON.stringify(outcomes)).toEqual([200, 1]);
    await heal(key, "scripted-replaced");
  });
});
