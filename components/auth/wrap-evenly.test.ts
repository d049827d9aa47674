import { expect, test } from "vitest";
import { wrapEvenly } from "./wrap-evenly";

const CLAIM = "The maximum total dose for healthy adults is 6,000 mg in 24 hours";

test("breaks a text into lines of about the same length", () => {
  expect(wrapEvenly(CLAIM, 3)).toBe(
    "The maximum total dose\nfor healthy adults is\n6,000 mg in 24 hours",
  );
});

test("keeps every place in the text where it was", () => {
  for (const lines of [1, 2, 3, 4, 5]) {
    const wrapped = wrapEvenly(CLAIM, lines);
    expect(wrapped.replaceAll("\n", " ")).toBe(CLAIM);
    expect(wrapped.split("\n")).toHaveLength(lines);
  }
});

test("never breaks between a number and its unit", () => {
  expect(wrapEvenly("a dose of 4,000 mg each", 2)).toBe("a dose of\n4,000 mg each");
  for (const lines of [2, 3, 4, 5, 6]) {
    expect(wrapEvenly(CLAIM, lines)).toContain("6,000 mg");
  }
});
