import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { yieldIfLong } from "./event-loop";
import { countPromptTokens } from "./models/message-tokens";
import { restoreClock, slowClock, turnsDuring } from "./testing/slow-clock";
import { countTokens, countTokensOf } from "./text/tokens";

beforeAll(() => {
  // Loads the vocabulary.
  countTokens("asthma");
});

afterEach(restoreClock);

describe("yieldIfLong", () => {
  it("lets others run once the work of a turn has taken long", async () => {
    slowClock();
    const work = async () => {
      for (let piece = 0; piece < 30; piece += 1) {
        await yieldIfLong();
      }
    };
    expect((await turnsDuring(work())).turns).toBeGreaterThanOrEqual(9);
  });

  it("resumes one piece of work in a turn, however many wait", async () => {
    slowClock();
    const work = async () => {
      for (let piece = 0; piece < 4; piece += 1) {
        await yieldIfLong();
      }
    };
    const all = Promise.all(Array.from({ length: 10 }, work));
    expect((await turnsDuring(all)).turns).toBeGreaterThanOrEqual(10);
  });

  it("costs short work no turn", async () => {
    await new Promise(setImmediate);
    vi.spyOn(performance, "now").mockReturnValue(performance.now());
    const settled = vi.fn();
    void countTokensOf(["What is asthma?", "A chronic disease of the airways."]).then(settled);
    for (let microtask = 0; microtask < 10; microtask += 1) {
      await undefined;
    }
    expect(settled).toHaveBeenCalledOnce();
  });
});

describe("counting the tokens of a request", () => {
  const hostile = ["-", "\n", "a", "ab ", "€", "1"].map((text) =>
    text.repeat(100_000 / text.length),
  );
  const request = (content: string, rest: object = {}) => ({
    model: "m",
    messages: [{ role: "user" as const, content }],
    ...rest,
  });

  it.each(hostile)("counts no more than 16,384 characters in a turn", async (text) => {
    slowClock();
    const { turns } = await turnsDuring(countPromptTokens(request(text)));
    expect(text.length / turns).toBeLessThan(16_384);
    const inTools = countPromptTokens(request("hello", { tools: [{ description: text }] }));
    expect(text.length / (await turnsDuring(inTools)).turns).toBeLessThan(16_384);
  });

  it.each(hostile)("counts as it does at once", async (text) => {
    expect(await countTokensOf([text])).toBe(countTokens(text));
  });

  it("counts a message and a tool once, in whichever request they are", async () => {
    const first = request("-".repeat(200_000), { tools: [{ description: "-".repeat(200_000) }] });
    const tokens = await countPromptTokens(first);
    slowClock();
    const again = { ...first, messages: [...first.messages], temperature: 1 };
    expect((await turnsDuring(countPromptTokens(again))).turns).toBeLessThanOrEqual(1);
    expect(await countPromptTokens(again)).toBe(tokens);
  });

  it("counts nothing of a text that can't fit", async () => {
    slowClock();
    const count = countPromptTokens(request("-".repeat(200_000)), 8000);
    expect((await turnsDuring(count)).turns).toBeLessThanOrEqual(1);
    expect(await count).toBe(Number.POSITIVE_INFINITY);
    expect(await countPromptTokens(request("-".repeat(100_000)), 8000)).toBeLessThan(8000);
  });
});
