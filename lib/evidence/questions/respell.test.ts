import { expect, test } from "vitest";
import { isCommonWord } from "@/lib/text/common-words";
import misspellings from "./misspellings.json" with { type: "json" };
import { readQuestion } from "./question";
import { respell } from "./respell";

test("spells the words of questions right, and no others", () => {
  expect(respell("Wat are symtoms of gastrinomas, and wich are comon?", "en")).toBe(
    "what are symptoms of gastrinomas, and which are common?",
  );
  expect(respell("Is a dosimeter needed for Watson syndromes?", "en")).toBe(
    "Is a dosimeter needed for Watson syndromes?",
  );
});

test.each(["Wat is astma en wat zijn de symptomen?", "¿Qué es el sindrome de Down?"])(
  "leaves other languages alone: %s",
  (question) => {
    expect(respell(question, "en")).toBe(question);
  },
);

test("never takes one correct spelling for another", () => {
  const correct = new Set(Object.keys(misspellings));
  const wrong = Object.values(misspellings).flat();
  expect(wrong.filter((word) => correct.has(word))).toEqual([]);
  expect(new Set(wrong).size).toBe(wrong.length);
  expect([...correct].filter((word) => !isCommonWord(word.replace("'s", "")))).toEqual([]);
});

test("a misspelled question is read as if it were spelled right", () => {
  const { isDefinition, relations } = readQuestion("waht is cor triatriatum");
  expect({ isDefinition, relations }).toEqual({ isDefinition: true, relations: [] });
  expect(readQuestion("symtoms of gout").relations.map(({ name }) => name)).toContain("symptoms");
});
