import { afterEach, describe, expect, it } from "vitest";
import { env } from "@/lib/platform/env";
import { upstream } from "@/lib/testing/fake-upstream";
import { scriptRewriter } from "@/lib/testing/fake-upstream-rewriter";
import { checkModels } from "./models";

const before = {
  REWRITE_MODEL: env.REWRITE_MODEL,
  VERIFY_MODEL: env.VERIFY_MODEL,
  VERIFY_URL: env.VERIFY_URL,
};

afterEach(() => {
  Object.assign(env, before);
  scriptRewriter(null);
});

describe("the models of a deployment", () => {
  it("are named with what is wrong with them, and only then", async () => {
    const findings = await checkModels();
    expect(findings).toContainEqual({
      level: "unsafe",
      about: "MODELS",
      message: expect.stringMatching(
        /^scripted-refusing doesn't answer: nothing answers at .*:1\/v1 \(ECONNREFUSED\)/,
      ),
    });
    expect(findings.filter(({ message }) => message.startsWith("scripted "))).toEqual([]);
    const asked = upstream().seen.filter(({ body }) => JSON.stringify(body).includes("Say OK."));
    expect(asked.filter(({ body }) => body.model === "upstream-model")).toHaveLength(1);
  });

  it("are asked to do the tasks that they are set for", async () => {
    env.REWRITE_MODEL = "scripted";
    scriptRewriter(() => "When is it due?");
    const wrong = (await checkModels()).filter(({ about }) => about === "REWRITE_MODEL");
    expect(wrong).toEqual([
      {
        level: "unsafe",
        about: "REWRITE_MODEL",
        message: expect.stringMatching(/usable question/),
      },
    ]);
    scriptRewriter(() => "How is asthma treated?");
    expect((await checkModels()).filter(({ about }) => about === "REWRITE_MODEL")).toEqual([]);
  });

  it("include the server at VERIFY_URL", async () => {
    env.VERIFY_URL = "http://127.0.0.1:1/predict";
    expect(await checkModels()).toContainEqual({
      level: "unsafe",
      about: "VERIFY_URL",
      message: expect.stringMatching(/^It doesn't judge a claim within .* VERIFY_LABELS, so rules/),
    });
  });
});
