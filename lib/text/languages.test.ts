import { describe, expect, it } from "vitest";
import questions from "@/lib/testing/language-questions.json" with { type: "json" };
import { languageOf } from "./languages";

describe("the language of a text", () => {
  it.each([
    ["en", "The kidneys filter the blood, and a machine can do this when they fail."],
    ...Object.entries(questions).map(([language, [first]]) => [language, first?.text ?? ""]),
    ["en", "What is asthma?"],
    ["de", "Was ist Asthma?"],
    ["fr", "Qu'est-ce que l'asthme ?"],
    ["zh", "糖尿病的症状是什么？"],
    ["ja", "糖尿病の症状は何ですか。"],
    ["ko", "당뇨병 증상은 무엇인가요?"],
    ["ar", "ما هي أعراض مرض السكري؟"],
    ["hi", "मधुमेह के लक्षण क्या हैं?"],
    ["ru", "Каковы симптомы диабета?"],
    ["th", "อาการของโรคเบาหวาน"],
    ["he", "מהם התסמינים של סוכרת?"],
    ["el", "Ποια είναι τα συμπτώματα του διαβήτη;"],
  ])("is %s: %s", (language, text) => {
    expect(languageOf(text)).toBe(language);
  });

  it.each([
    ["nothing", ""],
    ["punctuation", "?! … ——"],
    ["numbers", "12 5.5 100 %"],
    ["a name", "Metformin"],
    ["a list of names", "ibuprofen 400 mg, paracetamol 500 mg, naproxen 250 mg, in tablets"],
    ["half a surrogate pair", "\ud83d"],
    [
      "a language without rules",
      "Objawy cukrzycy to pragnienie, zmęczenie oraz częste oddawanie moczu.",
    ],
  ])("is null for %s", (_name, text) => {
    expect(languageOf(text)).toBeNull();
  });

  it("is that of most of its letters", () => {
    expect(languageOf("二型糖尿病的主要治疗药物是二甲双胍 (metformin)，通常每天服用两次。")).toBe(
      "zh",
    );
    expect(
      languageOf("The Chinese word for diabetes is 糖尿病, and it is the same in Japan."),
    ).toBe("en");
  });

  it("is told from its beginning, however long it is", () => {
    expect(
      languageOf(
        `${"Das ist der Anfang und es geht so weiter. ".repeat(200)}${"x".repeat(1_000_000)}`,
      ),
    ).toBe("de");
    expect(languageOf("x".repeat(1_000_000))).toBeNull();
  });
});
