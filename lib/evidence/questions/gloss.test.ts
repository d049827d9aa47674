import { describe, expect, test } from "vitest";
import { addressesRelation, isAboutSubject, meetsConstraints } from "./fit";
import { gloss, languageOfQuestion } from "./gloss";
import { readPassage } from "./passage";
import { readQuestion } from "./question";

describe("gloss", () => {
  test.each([
    ["de", "Wie wird Asthma behandelt?", "How is asthma treated?"],
    ["es", "¿Qué es el asma?", "¿what is asma?"],
    ["fr", "Quels sont les effets secondaires de la COPD ?", "What are side effect COPD ?"],
    ["it", "Che cos'è l'asma?", "What is asma?"],
    ["pt", "Quem não deve tomar metformina?", "Who not should take metformin?"],
    ["nl", "Hoe wordt HbA1c gemeten?", "How is HbA1c gemet?"],
  ] as const)("puts the words of the rules into English: %s, %s", (language, text, glossed) => {
    expect(gloss(text, language)).toBe(glossed);
  });

  test("leaves English as it is", () => {
    expect(gloss("How is  Asthma treated?", "en")).toBe("How is  Asthma treated?");
  });

  test("divides compounds", () => {
    expect(gloss("Asthmabehandlung", "de")).toBe("Asthma treatment");
  });

  test("doesn't read a phrase across the end of a sentence", () => {
    expect(gloss("Was hilft wann, wie. Lange Zeit", "de")).not.toContain("how long");
  });
});

describe("the rules read other languages as they read English", () => {
  function fits(language: "de" | "es" | "fr", question: string, title: string, text: string) {
    const asked = readQuestion(question, language);
    const passage = readPassage({ title, text }, language);
    return [
      isAboutSubject(asked, passage),
      addressesRelation(asked, passage),
      meetsConstraints(asked, passage),
    ];
  }

  test("a passage fits", () => {
    const text = "Asthma wird mit Kortison behandelt.";
    expect(fits("de", "Wie behandelt man Asthma?", "Asthma", text)).toEqual([true, true, true]);
  });

  test.each([
    [
      "another subject",
      "de",
      "Wie wird Gicht behandelt?",
      "Asthma wird mit Kortison behandelt.",
      0,
    ],
    ["another relation", "es", "¿Qué causa el asma?", "El asma se trata con corticoides.", 1],
    [
      "another population",
      "fr",
      "Comment traiter l'asthme chez l'enfant ?",
      "L'asthme se traite.",
      2,
    ],
  ] as const)("a passage has %s", (_, language, question, text, place) => {
    const title = { de: "Asthma", es: "Asma", fr: "Asthme" }[language];
    expect(fits(language, question, title, text)[place]).toBe(false);
  });
});

test("a possessive isn't French, an elision is", () => {
  expect(languageOfQuestion("What causes Crohn's disease?")).not.toBe("fr");
  expect(languageOfQuestion("C'est quoi l'asthme")).toBe("fr");
});
