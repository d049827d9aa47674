import { describe, expect, it } from "vitest";
import { SUGGESTIONS } from "@/lib/answers/demo/suggestions";
import { DEMO_QUESTIONS } from "@/lib/answers/demo/write";
import { env } from "@/lib/platform/env";
import { call } from "@/lib/testing/api";

const QUESTION = "how is warfarin monitored?";
let addresses = 0;

function ask(body: unknown, { from, ...headers }: { from?: string; origin?: string } = {}) {
  addresses += 1;
  const address = from ?? `198.51.100.${addresses}`;
  return call("POST", "/api/demo", { body, headers: { ...headers, "x-forwarded-for": address } });
}

describe("POST /api/demo", () => {
  it("answers with citations, verdicts and what is left, without an account", async () => {
    const { status, json } = await ask({ question: QUESTION });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      object: "demo.answer",
      question: QUESTION,
      is_scripted: false,
      remaining: DEMO_QUESTIONS.own - 1,
      verification: { answered: "yes" },
    });
    expect(json.content).toContain("2.0 to 3.0 [1]");
  });

  it("stops at an address's questions per day, and lets others ask", async () => {
    const from = "203.0.113.7";
    for (let left = DEMO_QUESTIONS.own - 1; left >= 0; left -= 1) {
      expect((await ask({ question: QUESTION }, { from })).json.remaining).toBe(left);
    }
    const refused = await ask({ question: QUESTION }, { from });
    expect(refused.status).toBe(429);
    expect(refused.json.error).toMatchObject({ code: "rate_limit_exceeded" });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3600);
    expect((await ask({ question: QUESTION })).status).toBe(200);
  });

  it("counts the questions it suggests apart", async () => {
    const from = "203.0.113.8";
    for (const { text } of [...SUGGESTIONS, ...SUGGESTIONS]) {
      expect((await ask({ question: text }, { from })).json.remaining).toBe(DEMO_QUESTIONS.own);
    }
    expect((await ask({ question: QUESTION }, { from })).json.remaining).toBe(4);
    for (let asked = 2 * SUGGESTIONS.length; asked < DEMO_QUESTIONS.suggested; asked += 1) {
      expect((await ask({ question: SUGGESTIONS[1]?.text }, { from })).status).toBe(200);
    }
    expect((await ask({ question: SUGGESTIONS[1]?.text }, { from })).status).toBe(429);
    expect((await ask({ question: QUESTION }, { from })).json.remaining).toBe(3);
  });

  it("counts a network of IPv6 addresses once", async () => {
    const first = await ask({ question: QUESTION }, { from: "2001:db8:1:2::1" });
    const second = await ask({ question: QUESTION }, { from: "2001:db8:1:2:ffff::9" });
    expect(second.json.remaining).toBe(first.json.remaining - 1);
  });

  it("stops at the questions of all per day", async () => {
    const perDay = env.DEMO_QUESTIONS_PER_DAY;
    try {
      env.DEMO_QUESTIONS_PER_DAY = 1;
      const refused = await ask({ question: QUESTION });
      expect(refused.status).toBe(429);
      expect(refused.json.error.message).toContain("used up");
    } finally {
      env.DEMO_QUESTIONS_PER_DAY = perDay;
    }
  });

  it("is not found where it is switched off", async () => {
    const perDay = env.DEMO_QUESTIONS_PER_DAY;
    try {
      env.DEMO_QUESTIONS_PER_DAY = 0;
      expect((await ask({ question: QUESTION })).status).toBe(404);
    } finally {
      env.DEMO_QUESTIONS_PER_DAY = perDay;
    }
  });

  it.each([
    ["nothing", {}],
    ["blanks", { question: "  \n" }],
    ["a long question", { question: "a".repeat(301) }],
    ["other fields", { question: QUESTION, citations: { sources: ["customer_kb"] } }],
    ["no text", { question: 7 }],
  ])("rejects %s without counting it", async (_, body) => {
    addresses += 1;
    const from = `192.0.2.${addresses}`;
    expect((await ask(body, { from })).status).toBe(400);
    const { json } = await ask({ question: QUESTION }, { from });
    expect(json.remaining).toBe(DEMO_QUESTIONS.own - 1);
  });

  it("refuses other sites", async () => {
    const { status } = await ask({ question: QUESTION }, { origin: "https://evil.example" });
    expect(status).toBe(403);
  });
});
