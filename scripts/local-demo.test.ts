import { describe, expect, it } from "vitest";
import { costsOperator, readEnv } from "@/lib/platform/env";
import { demoDefaults } from "./local-demo.mjs";

const LOCAL = { isDemo: true, url: "http://localhost:3000" };
const SIMULATED = { HOST: "127.0.0.1", PAYMENTS: "simulated" };

describe("npm start", () => {
  it("serves a demo to its own machine alone, with simulated payments", () => {
    expect(demoDefaults({}, LOCAL)).toEqual(SIMULATED);
    expect(demoDefaults({}, { ...LOCAL, url: "http://[::1]:3000" })).toEqual(SIMULATED);
    expect(demoDefaults({ HOST: "0.0.0.0" }, LOCAL)).toEqual({ ...SIMULATED, HOST: "0.0.0.0" });
  });

  it.each([
    ["another address", { url: "https://footnote.example.org" }],
    ["no demo", { isDemo: false }],
  ])("simulates nothing with %s", (_name, change) => {
    expect(demoDefaults({}, { ...LOCAL, ...change })).toEqual({ HOST: "" });
  });

  it.each([
    ["OPENAI_API_KEY", "sk-1"],
    ["MODELS", "gpt-5-mini"],
    ["EMBEDDING_MODEL", "embed-1"],
    ["EMBEDDING_BASE_URL", "https://embed.example/v1"],
    ["EMBEDDING_API_KEY", "sk-1"],
    ["RERANK_URL", "https://rerank.example"],
    ["VERIFY_URL", "https://classify.example"],
    ["STRIPE_SECRET_KEY", "sk_test_1"],
    ["PAYMENTS", "stripe"],
    ["DATABASE_URL", "postgres://localhost/footnote"],
  ])("never simulates payments with %s", (name, value) => {
    expect(demoDefaults({ [name]: value }, LOCAL)).toEqual({ HOST: "127.0.0.1" });
  });

  it("simulates payments with an embedding model on this machine, which costs nothing", () => {
    for (const EMBEDDING_MODEL of ["local", "local:multilingual-e5-small"]) {
      expect(costsOperator(readEnv({ EMBEDDING_MODEL }))).toBe(false);
      expect(demoDefaults({ EMBEDDING_MODEL }, LOCAL)).toHaveProperty("PAYMENTS", "simulated");
      const elsewhere = { EMBEDDING_MODEL, EMBEDDING_BASE_URL: "https://embed.example/v1" };
      expect(costsOperator(readEnv(elsewhere))).toBe(true);
    }
  });

  it("never simulates payments where a request may cost the operator money", () => {
    const url = "https://upstream.example";
    for (const name of ["MODELS", "EMBEDDING_MODEL", "EMBEDDING_BASE_URL", "EMBEDDING_API_KEY"]) {
      expect(costsOperator(readEnv({ [name]: url }))).toBe(true);
      expect(demoDefaults({ [name]: url }, LOCAL)).not.toHaveProperty("PAYMENTS");
    }
  });
});
