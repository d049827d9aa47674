import { describe, expect, it } from "vitest";
import { termId, termOfWord, termsOf } from "@/lib/text/analyzer";
import {
  choose,
  misspelledQuestionWords,
  misspelledWords,
  suggest,
  withCorrections,
} from "./spelling";

const id = (word: string) => termId(termOfWord(word) ?? "");

/** The words that may be corrected if the collections have none of the query's words. */
function found(query: string): string[] {
  const unknown = new Set(termsOf(query).map(termId));
  return misspelledWords(query, unknown).map(({ word }) => word);
}

/** How a vocabulary, given with its counts, corrects a word that it lacks. */
function correct(word: string, vocabulary: Record<string, number>): string | null {
  const unknown = { written: word, word, term: id(word) };
  const words = Object.keys(vocabulary).map((each) => ({ word: each, term: id(each) }));
  const counts = new Map(Object.entries(vocabulary).map(([each, count]) => [id(each), count]));
  const [suggestions = []] = suggest([unknown], words, 2).values();
  return choose(suggestions, (term) => counts.get(term) ?? 0)?.word ?? null;
}

describe("words that may be misspelled", () => {
  it("are those that the collections lack and that aren't common", () => {
    expect(found("What is the treatment of diabtes melitus?")).toEqual(["diabtes", "melitus"]);
    const unknown = new Set([id("melitus")]);
    expect(misspelledWords("diabtes Melitus", unknown)).toEqual([
      { written: "Melitus", word: "melitus", term: id("melitus") },
    ]);
  });

  it.each([
    ["quotes", 'dose of "metfromin"'],
    ["other quotes", "“metfromin” „metfromin“ «metfromin»"],
    ["identifiers", "GATAX cMETX abc@metfromin.org metfromin_xr metfromin850 C:\\metfromin"],
    ["names", "Doctor Kowalski and Mrs. Fitzgerald"],
    ["common words", "satin banana"],
    ["misspelled stop words", "waht wiht thier"],
    ["short words", "xyz qrt"],
    ["scripts without letters", "糖尿病の症状"],
    ["words of two scripts", "metfоrmin"],
    ["nothing", "?! …"],
  ])("exclude %s: %s", (_, query) => {
    expect(found(query)).toEqual([]);
  });

  it("include long words of a query in capitals, but not its abbreviations", () => {
    expect(found("METFROMIN AND NSAIX")).toEqual(["metfromin"]);
  });

  it("are understood with invisible characters in them", () => {
    expect(found("metf\u200bromin")).toEqual(["metfromin"]);
  });

  it("are at most 16, and not from far inside a long text", () => {
    const letters = (index: number) =>
      String.fromCharCode(97 + (index % 26), 97 + ((index / 26) | 0));
    const many = Array.from({ length: 100 }, (_, index) => `zqxj${letters(index)}`).join(" ");
    expect(found(many)).toHaveLength(16);
    expect(found(`${"pain ".repeat(10_000)} metfromin`)).toEqual([]);
    expect(found("“".repeat(50_000))).toEqual([]);
  });
});

describe("misspelled question words", () => {
  it.each([
    ["who shoud not take metformin", "shoud should"],
    ["wich drugs are safe withut food", "wich which, withut without"],
    ["waht dose is usual", "waht what"],
    ["Ich habe Wiht gesagt und nicht waht", ""],
    ["the withers of a horse", ""],
    ['what is "shoud"', ""],
    ["mani symptoms", ""],
  ])("in %s are %s", (query, corrected) => {
    const unknown = new Set(termsOf(query).map(termId));
    const found = misspelledQuestionWords(query, unknown);
    expect(found.map(({ from, to }) => `${from.written} ${to}`).join(", ")).toBe(corrected);
  });
});

describe("corrections", () => {
  it.each([
    ["metfromin", { metformin: 4 }, "metformin"],
    ["diahrrea", { diarrhea: 9, diary: 30 }, "diarrhea"],
    ["ashtma", { asthma: 2 }, "asthma"],
    ["hte", { thee: 5 }, null],
    ["eart", { heart: 2 }, null],
    ["apixaban", { rivaroxaban: 50 }, null],
    ["prednisone", { prednisolone: 50 }, null],
    ["nimodipine", { nifedipine: 50 }, null],
    ["hypotension", { hypertension: 500 }, null],
    ["microcytic", { macrocytic: 500 }, null],
    ["fluoxetine", { duloxetine: 500 }, null],
    ["lisnopril", { lisinopril: 5 }, "lisinopril"],
  ])("of %s by %j are %s", (word, vocabulary, corrected) => {
    expect(correct(word, vocabulary)).toBe(corrected);
  });

  it("prefer fewer edits, then frequent words", () => {
    expect(correct("statib", { statin: 3, statis: 1 })).toBe("statin");
    expect(correct("ketosix", { ketosis: 1, ketoxins: 50 })).toBe("ketosis");
  });

  it("are only to words that still occur", () => {
    expect(correct("metfromin", { metformin: 0 })).toBeNull();
  });

  it("replace whole words as they were written", () => {
    const corrections = [
      { from: "Metfromin", to: "metformin" },
      { from: "hte", to: "the" },
    ];
    expect(withCorrections("Metfromin (hte dose), whte", corrections)).toBe(
      "metformin (the dose), whte",
    );
    expect(withCorrections("unchanged", [])).toBe("unchanged");
  });
});
