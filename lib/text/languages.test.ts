import { describe, expect, it } from "vitest";
import questions from "@/lib/testing/language-questions.json" with { type: "json" };
import { passageWordsOf, termId, termsOf } from "./analyzer";
import { queryWords } from "./bm25";
import { foldedWords } from "./fold";
import { LATIN_LANGUAGES, languageOf, possibleLanguages } from "./languages";

describe("the language of a text", () => {
  it.each([
    ["en", "The kidneys filter the blood, and a machine can do this when they fail."],
    ...Object.entries(questions).map(([language, [first]]) => [language, first?.text ?? ""]),
    ["sv", "Behandlingen av diabetes börjar med metformin, som tas i samband med måltid."],
    [
      "da",
      "Behandlingen af forhøjet blodtryk begynder med motion og mindre salt, siger lægen til dig.",
    ],
    ["no", "Legen måler blodtrykket ved hvert besøk, og medisinene skal tas om morgenen."],
    ["fi", "Lääkkeet otetaan aamulla ruoan kanssa, ja sivuvaikutukset ovat yleensä lieviä."],
    ["tr", "Böbrek yetmezliği olan hastalarda bu ilacın dozu azaltılır ve kan şekeri ölçülür."],
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
    ["en", "The word метформин is Russian, and it is the name of a drug."],
    ["ru", "Метформин (metformin) снижает уровень сахара в крови."],
  ])("is %s: %s", (language, text) => {
    expect(languageOf(text)).toBe(language);
  });

  it.each([
    ["nothing", ""],
    ["punctuation", "?! … ——"],
    ["numbers", "12 5.5 100 %"],
    ["a name", "Metformin"],
    ["a list of names", "ibuprofen 400 mg, paracetamol 500 mg, naproxen 250 mg, in tablets"],
    ["notes in English", "Men over 50, for 2 weeks: dog bites"],
    ["a word of several languages", "dog ".repeat(40)],
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

  it("is detected from its beginning, however long it is", () => {
    expect(
      languageOf(
        `${"Das ist der Anfang und es geht so weiter. ".repeat(200)}${"x".repeat(1_000_000)}`,
      ),
    ).toBe("de");
    expect(languageOf("x".repeat(1_000_000))).toBeNull();
  });
});

describe("the languages of a query", () => {
  const languagesOf = (query: string) => possibleLanguages(foldedWords(query));

  it("are those whose stop words it has most of", () => {
    expect(languagesOf("What is the treatment of asthma?")).toEqual(["en"]);
    expect(languagesOf("Wie wird das behandelt?")).toEqual(["de"]);
    expect(languagesOf("asthma in Kindern")).toEqual(["en", "de", "it", "nl"]);
  });

  it("are all without a stop word", () => {
    expect(languagesOf("Nebenwirkungen Ibuprofen")).toEqual(LATIN_LANGUAGES);
    expect(languagesOf("")).toEqual(LATIN_LANGUAGES);
  });

  it("give a word the terms of each, and English for short passages", () => {
    const terms = (query: string) =>
      queryWords(query).map((word) =>
        [...word.terms.values()].map((languages) => languages.join()),
      );
    expect(terms("Was ist eine Übelkeit?")).toEqual([["en", "de"]]);
    expect(terms("What is the nausea?")).toEqual([["en"]]);
    expect(terms("was ist die und eine")).toEqual([]);
  });
});

describe("terms of a language", () => {
  it.each([
    ["de", "Übelkeit", "Ubelkeit"],
    ["de", "Ödeme", "Oedem"],
    ["de", "Entzündungen", "entzundung"],
    ["de", "Füße", "Fuesse"],
    ["es", "infección", "infecciones"],
    ["es", "medicación", "medicacion"],
    ["fr", "l'hypertension", "hypertension"],
    ["fr", "d’une infection", "infections"],
    ["fr", "opérée", "opere"],
    ["fr", "l'œdème", "oedemes"],
    ["it", "dell’acqua", "acqua"],
    ["it", "un'allergia", "allergie"],
    ["pt", "infecções", "infeção"],
    ["pt", "lesões", "lesao"],
    ["pt", "sinais", "sinal"],
    ["nl", "oorzaken", "oorzaak"],
    ["nl", "allergieën", "allergieen"],
  ] as const)("are the same in %s for %s and %s", (language, one, other) => {
    expect(termsOf(one, language)).toEqual(termsOf(other, language));
    expect(termsOf(one, language)).toHaveLength(1);
  });

  it("leave out the stop words of that language only", () => {
    expect(termsOf("die Niere", "de")).toHaveLength(1);
    expect(termsOf("die kidney", "en")).toHaveLength(2);
  });

  it("are English unless another language is given", () => {
    expect(termsOf("Tabletten")).toEqual(termsOf("Tabletten", "en"));
    expect(termsOf("tablets", null)).toEqual(termsOf("tablets", "ja"));
  });
});

describe("an English question with a stop word of another language", () => {
  it.each(["treatment for men", "dog bites", "under 18 dose"])("keeps it: %s", (question) => {
    const terms = new Set(queryWords(question).flatMap((word) => [...word.terms.keys()]));
    for (const term of termsOf(question)) {
      expect(terms).toContain(termId(term));
    }
  });
});

describe("a question in a language that only search knows", () => {
  it.each([
    [
      "behandla diabetes",
      "Behandlingen av diabetes börjar med metformin, som tas i samband med måltid.",
    ],
    ["mild biverkning", "Biverkningarna är oftast milda och går över av sig själva."],
    [
      "måle blodtrykk",
      "Legen måler blodtrykket ved hvert besøk, og medisinene skal tas om morgenen.",
    ],
    [
      "behandle blodtryk",
      "Behandlingen af forhøjet blodtryk begynder med motion og mindre salt, siger lægen til dig.",
    ],
    [
      "lääke aamulla",
      "Lääkkeet otetaan aamulla ruoan kanssa, ja sivuvaikutukset ovat yleensä lieviä.",
    ],
    [
      "ilaç yemek",
      "Diyabet tedavisine metformin ile başlanır. İlaçlar yemekle birlikte alınır. Böbrek yetmezliği olan hastalarda kullanılmaz.",
    ],
    [
      "böbreklerin yetmezliği",
      "Böbrek yetmezliği olan hastalarda bu ilacın dozu azaltılır ve kan şekeri ölçülür.",
    ],
  ])("has the terms of its passage in any form: %s", (question, passage) => {
    const terms = new Set(passageWordsOf(passage).words.map(({ term }) => termId(term)));
    for (const word of queryWords(question)) {
      expect([...word.terms.keys()].some((term) => terms.has(term))).toBe(true);
    }
  });
});
