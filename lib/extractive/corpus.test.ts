import { describe, expect, test } from "vitest";
import { foldedTermsOf, isSameWord, synonymsOf } from "./corpus";

describe("foldedTermsOf", () => {
  test("normalizes British and American spelling", () => {
    expect(foldedTermsOf("anaemia oesophagus coeliac")).toEqual(
      foldedTermsOf("anemia esophagus celiac"),
    );
  });
});

describe("isSameWord", () => {
  test.each([
    ["hypoglycemia", "hypoglycemic"],
    ["asthma", "asthmatic"],
    ["allergy", "allergic"],
    ["pregnancy", "pregnant"],
  ])("accepts %s and %s", (one, other) => {
    const [first = "", second = ""] = foldedTermsOf(`${one} ${other}`);
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
    const [first = "", second = ""] = foldedTermsOf(`${one} ${other}`);
    expect(first === second || isSameWord(first, second)).toBe(false);
  });
});

test("finds synonyms of everyday words", () => {
  expect(synonymsOf("babi").has("infant")).toBe(true);
  expect(synonymsOf("asthma").size).toBe(0);
});
