import { expect, it } from "vitest";
import { matchedWords } from "./matched-words";

it.each([
  ["The clinic opens on Tuesdays.", "opening hours of the clinic", ["clinic", "opens"]],
  ["Patients are monitored.", "monitoring of a patient", ["Patients", "monitored"]],
  ["Nehmen Sie 5 Tabletten.", "Wie viele Tabletten?", ["Tabletten"]],
  ["Give 40 mg, not 400 mg.", "why 40 mg", ["40"]],
  ["An operation is planned.", "the of an", []],
])("in “%s”, “%s” matches %j", (text, query, words) => {
  const parts = matchedWords(text, query);
  expect(parts.filter(({ isMatch }) => isMatch).map((part) => part.text)).toEqual(words);
  expect(parts.map((part) => part.text).join("")).toBe(text);
});
