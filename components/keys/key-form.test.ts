import { describe, expect, it } from "vitest";
import { CreateKey } from "@/lib/keys/schema";
import { fieldOf, type KeyForm, NEW_KEY, resolveKeyForm, toCreateKey } from "./key-form";

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
  it("turns an untouched form into a key for public and customer knowledge", () => {
    expect(toCreateKey(filled)).toEqual({
      name: "Intake assistant",
      mode: "live",
      scopes: ["chat:completions", "kb:search"],
      knowledge_scopes: ["public_kb", "customer_kb"],
      person: null,
      models: null,
      expires_at: null,
      monthly_budget_usd: null,
    });
    expect(CreateKey.safeParse(toCreateKey(filled)).success).toBe(true);
  });

  it("binds a personal key to the member, or to the reference that was typed", () => {
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

  it("forgets a person when the key holds no personal knowledge", () => {
    const form: KeyForm = {
      ...filled,
      person_kind: "external",
      person: "patient-123",
    };
    expect(toCreateKey(form).person).toBeNull();
  });

  it("counts the days of an expiry from now", () => {
    expect(toCreateKey({ ...filled, expiry: "30" }, NOW).expires_at).toBe(
      "2026-12-20T10:00:00.000Z",
    );
  });

  it("lets a key live to the end of a chosen day where the viewer is", () => {
    const form: KeyForm = {
      ...filled,
      expiry: "date",
      expires_at: "2027-01-31",
    };
    // The tests run in Kathmandu, 5 h 45 min ahead of UTC.
    expect(toCreateKey(form, NOW).expires_at).toBe("2027-01-31T18:14:59.000Z");
  });
});

describe("the monthly budget", () => {
  it.each([
    ["", null],
    ["  ", null],
    ["50", "50"],
    [" $1,250.50 ", "1250.50"],
    ["1,000,000", "1000000"],
    // No thousands, so left for the schema to refuse.
    ["1,25", "1,25"],
  ])("reads %j as %j", (typed, budget) => {
    expect(toCreateKey({ ...filled, monthly_budget_usd: typed }).monthly_budget_usd).toBe(budget);
  });

  it.each(["1,25", "-3", "0", "many", "0.0000001", "1000000.01"])("refuses %j", async (typed) => {
    expect(await errorsOf({ ...filled, monthly_budget_usd: typed })).toHaveProperty(
      "monthly_budget_usd",
    );
  });
});

describe("resolveKeyForm", () => {
  it("accepts a form that only has a name", async () => {
    expect(await errorsOf(filled)).toEqual({});
  });

  it("asks for what is missing, by field", async () => {
    expect(
      await errorsOf({
        ...NEW_KEY,
        scopes: [],
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
      expires_at: "Choose the last day the key may be used.",
    });
  });

  it("refuses a day that has passed", async () => {
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
  it("finds the field of a nested param and none for a stranger", () => {
    expect(fieldOf("models.0")).toBe("models");
    expect(fieldOf("toString")).toBeNull();
    expect(fieldOf(null)).toBeNull();
  });
});
