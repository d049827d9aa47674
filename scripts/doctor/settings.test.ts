import { describe, expect, it } from "vitest";
import { readEnv } from "@/lib/platform/env";
import { checkSettings } from "./settings";

const SECRET = "f".repeat(64);

/** Nothing to find. */
const SAFE = {
  APP_URL: "https://footnote.example.org",
  NEXTAUTH_URL: "https://footnote.example.org",
  NEXTAUTH_SECRET: SECRET,
  TRUSTED_PROXIES: "1",
  DATABASE_URL: "postgres://footnote:a-long-password@db:5432/footnote",
  REDIS_URL: "redis://valkey:6379",
  SMTP_URL: "smtps://mail.example.org",
  MODELS: "gpt-5-mini",
  EMBEDDING_MODEL: "text-embedding-3-small",
  METRICS_TOKEN: SECRET,
  STRIPE_SECRET_KEY: "sk_live_1",
  STRIPE_WEBHOOK_SECRET: "whsec_1",
};

const aboutOf = (variables: Record<string, string>, level: "unsafe" | "advice") =>
  checkSettings(readEnv(variables))
    .filter((finding) => finding.level === level)
    .map(({ about }) => about);

describe("the settings of a deployment", () => {
  it("are found safe when they are", () => {
    expect(checkSettings(readEnv(SAFE))).toEqual([]);
  });

  it.each([
    ["APP_URL", { APP_URL: "http://footnote.example.org", NEXTAUTH_URL: "" }],
    ["NEXTAUTH_SECRET", { NEXTAUTH_SECRET: "" }],
    ["NEXTAUTH_URL", { NEXTAUTH_URL: "https://other.example.org" }],
    ["TRUSTED_PROXIES", { TRUSTED_PROXIES: "0" }],
    ["PAYMENTS", { PAYMENTS: "simulated" }],
    ["STRIPE_SECRET_KEY", { STRIPE_SECRET_KEY: "sk_test_1" }],
    ["STRIPE_API_BASE", { STRIPE_API_BASE: "http://localhost:1" }],
    ["SIGN_UP", { SMTP_URL: "" }],
    ["LOG_RESET_LINKS", { LOG_RESET_LINKS: "true" }],
    ["DATABASE_URL", { DATABASE_URL: "postgres://footnote:footnote@db:5432/footnote" }],
  ])("are unsafe in %s", (about, change) => {
    expect(aboutOf({ ...SAFE, ...change }, "unsafe")).toEqual([about]);
  });

  it.each(["REDIS_URL", "SMTP_URL", "MODELS", "EMBEDDING_MODEL", "METRICS_TOKEN"])(
    "are worth a word without %s",
    (about) => {
      expect(aboutOf({ ...SAFE, [about]: "" }, "advice")).toEqual([about]);
    },
  );

  it("say so when new accounts don't get the grant", () => {
    expect(aboutOf({ ...SAFE, SIGNUP_GRANT_USD: "5" }, "advice")).toEqual(["SIGNUP_GRANT_USD"]);
    const free = { ...SAFE, MODELS: "footnote-extract-1", EMBEDDING_MODEL: "" };
    expect(aboutOf({ ...free, SIGNUP_GRANT_USD: "5" }, "advice")).toEqual(["EMBEDDING_MODEL"]);
  });

  it("may be those of a demo on one's own machine", () => {
    expect(aboutOf({ PAYMENTS: "simulated" }, "unsafe")).toEqual([]);
  });
});

describe("the environment", () => {
  it.each([
    ["NEXTAUTH_SECRET", "short"],
    ["NEXTAUTH_SECRET", "replace with the output of openssl rand -hex 32"],
    ["METRICS_TOKEN", "guessable"],
  ])("is refused when %s is %j", (name, value) => {
    expect(() => readEnv({ ...SAFE, [name]: value })).toThrow(name);
  });

  it("takes an empty value for one that isn't set", () => {
    expect(readEnv({ ...SAFE, JOB_CONCURRENCY: "", PAYMENTS: "" })).toEqual(readEnv(SAFE));
  });
});
