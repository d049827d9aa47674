import { expect, test } from "vitest";
import { isOfKind, isOtherKind } from "./kinds";
import { readPassage } from "./passage";
import { readQuestion } from "./question";

test.each([
  ["Parkinson's disease", "Juvenile parkinsonism runs in families."],
  ["lupus", "Lupus nephritis raises blood pressure."],
])("a text about a kind or a part of %s isn't about the whole", (subject, text) => {
  const question = readQuestion(`Is ${subject} common?`);
  expect(isOfKind(question, readPassage({ title: subject, text }))).toBe(true);
  expect(isOfKind(question, readPassage({ title: subject, text: `${subject} is common.` }))).toBe(
    false,
  );
});

test("a text that names the whole beside its kind is about both", () => {
  const text = "Lupus is common, and lupus nephritis raises blood pressure.";
  expect(isOfKind(readQuestion("Is lupus common?"), readPassage({ title: "Lupus", text }))).toBe(
    false,
  );
});

test.each([
  ["Is sclerosis hereditary?", true],
  ["Is juvenile sclerosis hereditary?", false],
  ["Is gout hereditary?", false],
])("juvenile sclerosis is another kind of what is asked: %s", (asked, isOther) => {
  const passage = readPassage({ title: "Juvenile sclerosis", text: "It runs in families." });
  expect(isOtherKind(readQuestion(asked), passage)).toBe(isOther);
});
