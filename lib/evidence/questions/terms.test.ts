import { describe, expect, test } from "vitest";
import { termsOf } from "@/lib/text/analyzer";
import { isSameWord, synonymsOf } from "./terms";

describe("termsOf", () => {
  test("normalizes British and American spelling", () => {
    expect(termsOf("anaemia oesophagus coeliac")).toEqual(termsOf("anemia esophagus celiac"));
  });
});

describe("isSameWord", () => {
  test.each([
    ["hypoglycemia", "hypoglycemic"],
    ["asthma", "asthmatic"],
    ["allergy", "allergic"],
    ["pregnancy", "pregnant"],
  ])("accepts %s and %s", (one, other) => {
    const [first = "", second = ""] = termsOf(`${one} ${other}`);
    expect(first === second || isSameWord(first, second)).toBe(true);
  });

  test.each([
    ["hypothyroidism", "hyperthyroidism"],
    ["hypoglycemia", "hyperglycemia"],
    ["creatine", "creatinine"],
    ["prednisone", "prednisolone"],
    ["hydroxyzine", "hydroxychloroquine"],
    ["colon", "cologne"],
  ])("rejects %s and %s", (one, other) => {
    const [first = "", second = ""] = termsOf(`${one} ${other}`);
    expect(first === second || isSameWord(first, second)).toBe(false);
  });
});

test("finds synonyms of everyday words", () => {
  expect(synonymsOf("babi").has("infant")).toBe(true);
  expect(synonymsOf("asthma").size).toBe(0);
});
