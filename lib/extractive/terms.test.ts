import { describe, expect, test } from "vitest";
import { foldedTermsOf, isSameWord, synonymsOf } from "./terms";

describe("foldedTermsOf", () => {
  test("British and American spellings are one term", () => {
    expect(foldedTermsOf("anaemia oesophagus coeliac")).toEqual(
      foldedTermsOf("anemia esophagus celiac"),
    );
  });
});

describe("areForms", () => {
  test.each([
    ["hypoglycemia", "hypoglycemic"],
    ["asthma", "asthmatic"],
    ["allergy", "allergic"],
    ["pregnancy", "pregnant"],
  ])("%s and %s are forms of one word", (one, other) => {
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
  ])("%s and %s are not", (one, other) => {
    const [first = "", second = ""] = foldedTermsOf(`${one} ${other}`);
    expect(first === second || isSameWord(first, second)).toBe(false);
  });
});

test("everyday words stand for the words of sources", () => {
  expect(synonymsOf("babi").has("infant")).toBe(true);
  expect(synonymsOf("asthma").size).toBe(0);
});
