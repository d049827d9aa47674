import { describe, expect, it } from "vitest";
import { CreateKey, type Key } from "@/lib/money/keys/schema";
import { SCOPES } from "@/lib/platform/auth/schema";
import {
  fieldOf,
  type KeyForm,
  NEW_KEY,
  resolveKeyForm,
  toCreateKey,
  toKeyForm,
  toUpdateKey,
} from "./key-form";

const NOW = Date.parse("2026-11-20T10:00:00Z");
const filled: KeyForm = { ...NEW_KEY, name: "Intake assistant" };

async function errorsOf(form: KeyForm) {
  const { errors } = await resolveKeyForm(form, undefined, {
    fields: {},
    shouldUseNativeValidation: false,
  });
  return Object.fromEntries(Object.entries(errors).map(([field, error]) => [field, error.message]));
}

describe("toCreateKey", () => {
  it("turns an untouched form into a key for public and customer documents", () => {
    expect(toCreateKey(filled)).toEqual({
      name: "Intake assistant",
      mode: "live",
      scopes: ["chat:completions", "kb:search"],
      knowledge_scopes: ["public_kb", "customer_kb"],
      stores: null,
      person: null,
      models: ["*"],
      query_mode: "last",
      expires_at: null,
      monthly_budget_usd: null,
      requests_per_minute: null,
      tokens_per_minute: null,
    });
    expect(CreateKey.safeParse(toCreateKey(filled)).success).toBe(true);
  });

  it("takes the scopes from what the key is for, or from the chosen ones", () => {
    const scopesFor = (access: KeyForm["access"]) => toCreateKey({ ...filled, access }).scopes;
    expect(scopesFor("search")).toEqual(["kb:search", "kb:documents:read"]);
    expect(scopesFor("everything")).toEqual(SCOPES.filter((scope) => scope !== "keys:write"));
    expect(toCreateKey({ ...filled, access: "custom", scopes: ["billing:read"] }).scopes).toEqual([
      "billing:read",
    ]);
  });

  it("binds a key to the chosen stores, without knowledge bases that were left out since", () => {
    const stores = ["public_kb", "personal_kb", "vs_1"];
    expect(toCreateKey({ ...filled, stores }).stores).toEqual(["public_kb", "vs_1"]);
    expect(toCreateKey({ ...filled, stores: ["personal_kb"] }).stores).toBeNull();
  });

  it("binds a personal key to the member or to the typed reference", () => {
    const personal: KeyForm = {
      ...filled,
      preset: "personal",
      person: "patient-123",
    };
    expect(toCreateKey(personal)).toMatchObject({
      knowledge_scopes: ["public_kb", "personal_kb"],
      person: null,
    });
    expect(toCreateKey({ ...personal, person_kind: "external" }).person).toBe("patient-123");
  });

  it("drops the person when the key has no personal knowledge", () => {
    const form: KeyForm = {
      ...filled,
      person_kind: "external",
      person: "patient-123",
    };
    expect(toCreateKey(form).person).toBeNull();
  });

  it("counts expiry days from now", () => {
    expect(toCreateKey({ ...filled, expiry: "30" }, NOW).expires_at).toBe(
      "2026-12-20T10:00:00.000Z",
    );
  });

  it("expires a key at the end of the chosen day in the viewer's time zone", () => {
    const form: KeyForm = {
      ...filled,
      expiry: "date",
      expires_at: "2027-01-31",
    };
    // Tests run in a time zone that is not UTC.
    const end = new Date(2027, 0, 31, 23, 59, 59);
    expect(end.getTimezoneOffset()).not.toBe(0);
    expect(toCreateKey(form, NOW).expires_at).toBe(end.toISOString());
  });
});

describe("the monthly budget", () => {
  it.each([
    ["", null],
    ["  ", null],
    ["50", "50"],
    [" $1,250.50 ", "1250.50"],
    ["1,000,000", "1000000"],
    // Not a thousands separator, so the schema rejects it.
    ["1,25", "1,25"],
  ])("reads %j as %j", (typed, budget) => {
    expect(toCreateKey({ ...filled, monthly_budget_usd: typed }).monthly_budget_usd).toBe(budget);
  });

  it.each(["1,25", "-3", "0", "many", "0.0000001", "1000000.01"])("rejects %j", async (typed) => {
    expect(await errorsOf({ ...filled, monthly_budget_usd: typed })).toHaveProperty(
      "monthly_budget_usd",
    );
  });
});

describe("requests and tokens per minute", () => {
  it.each([
    ["", null],
    [" ", null],
    ["60", 60],
    [" 1,000,000 ", 1_000_000],
  ])("reads %j as %j", (typed, count) => {
    expect(toCreateKey({ ...filled, requests_per_minute: typed }).requests_per_minute).toBe(count);
    expect(toCreateKey({ ...filled, tokens_per_minute: typed }).tokens_per_minute).toBe(count);
  });

  it.each(["0", "-1", "1.5", "many", "1,00", "1e400"])("rejects %j", async (typed) => {
    expect(await errorsOf({ ...filled, requests_per_minute: typed })).toHaveProperty(
      "requests_per_minute",
    );
    expect(await errorsOf({ ...filled, tokens_per_minute: typed })).toHaveProperty(
      "tokens_per_minute",
    );
  });
});

describe("toKeyForm", () => {
  const key = {
    name: "Ward bot",
    models: ["scripted", "gone"],
    query_mode: "conversation",
    monthly_budget_usd: "1250.500000",
    requests_per_minute: 60,
    tokens_per_minute: null,
  } as Key;

  it("fills the form from the key, without models that have left the catalog", () => {
    expect(toUpdateKey(toKeyForm(key, [{ id: "scripted" }]))).toEqual({
      name: "Ward bot",
      models: ["scripted"],
      query_mode: "conversation",
      monthly_budget_usd: "1250.5",
      requests_per_minute: 60,
      tokens_per_minute: null,
    });
  });

  it.each([
    ["default", null],
    ["all", ["*"]],
    ["chosen", ["scripted"]],
  ])("keeps a choice of %s models as it is", (choice, models) => {
    const form = toKeyForm({ ...key, models }, [{ id: "scripted" }]);
    expect(form.model_choice).toBe(choice);
    expect(toUpdateKey(form).models).toEqual(models);
  });

  it.each([
    ["100.000000", "100"],
    ["0.500000", "0.5"],
    ["12.000001", "12.000001"],
  ])("shows a budget of %s as %s", (budget, shown) => {
    expect(toKeyForm({ ...key, monthly_budget_usd: budget }, []).monthly_budget_usd).toBe(shown);
  });
});

describe("resolveKeyForm", () => {
  it("says what to change in the first place, in words", async () => {
    const form = { ...filled, name: "x".repeat(101), monthly_budget_usd: "fifty" };
    expect(await errorsOf(form)).toEqual({
      name: "use at most 100 characters",
      monthly_budget_usd:
        "Write an amount of US dollars with at most six decimal places, such as 50 or 12.5.",
    });
  });

  it("accepts a form with only a name", async () => {
    expect(await errorsOf(filled)).toEqual({});
  });

  it("reports missing values by field", async () => {
    expect(
      await errorsOf({
        ...NEW_KEY,
        scopes: [],
        access: "custom" as const,
        preset: "personal",
        person_kind: "external",
        model_choice: "chosen",
        expiry: "date",
      }),
    ).toEqual({
      name: "Name the key after the service that will use it.",
      scopes: "Choose at least one scope.",
      person: "Write a reference, such as patient-123, or leave it out.",
      models: "Choose at least one model.",
      expires_at: "Choose an expiration date.",
    });
  });

  it("rejects a day in the past", async () => {
    const errors = await errorsOf({
      ...filled,
      expiry: "date",
      expires_at: "2020-01-01",
    });
    expect(errors).toEqual({
      expires_at: "Choose a time in the future, within ten years.",
    });
  });
});

describe("fieldOf", () => {
  it("finds the field of a nested param, and none for an unknown one", () => {
    expect(fieldOf("models.0")).toBe("models");
    expect(fieldOf("toString")).toBeNull();
    expect(fieldOf(null)).toBeNull();
  });
});
