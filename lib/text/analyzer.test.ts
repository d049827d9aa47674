import { describe, expect, it } from "vitest";
import { countMessageTokens } from "@/lib/models/message-tokens";
import { TERM_SPACE, termId, termsOf, wordsOf } from "./analyzer";
import { countTokens, TokenCounter, takeTokens } from "./tokens";

describe("terms", () => {
  it("are folded and stemmed, without stop words", () => {
    expect(termsOf("What are the Symptoms of Asthma?")).toEqual(
      termsOf("asthma symptom").reverse(),
    );
    expect(termsOf("the of and what")).toEqual([]);
    expect(termsOf("hepatitis of the hepatic duct")).toEqual(["hepatit", "hepat", "duct"]);
    expect(termsOf("ALS and eggs")).toEqual(["als", "egg"]);
    expect(termsOf("Down syndrome goes down")).toEqual(["down", "syndrom", "goe"]);
    expect(termsOf("5.5 mmol/L")).toEqual(["5.5", "mmol", "l"]);
    expect(termsOf("patient's patients’ patient")).toEqual(["patient", "patient", "patient"]);
  });

  it.each([
    ["anaemia", "anemia"],
    ["diarrhoea", "diarrhea"],
    ["oesophageal tumours", "esophageal tumors"],
    ["Ménière’s disease", "Meniere's disease"],
    ["Sjögren", "SJOGREN"],
    ["œdème", "oedeme"],
    ["ﬁbrosis", "fibrosis"],
    ["vitamin B-12", "vitamin B12"],
    ["type2 diabetes", "type 2 diabetes"],
    ["السُّكَّري", "السكرى"],
    ["مـرض ٢", "مرض 2"],
    ["שָׁלוֹם", "שלום"],
    ["haemorrhage in paediatric leukaemia", "hemorrhage in pediatric leukemia"],
    ["fibre", "fiber"],
    ["behavioural tumourigenesis", "behavioral tumorigenesis"],
    ["encourages, encouraged", "encourage, encouraging"],
    ["resources", "resource"],
    ["pregnancy in allergic women", "pregnant, allergy, woman"],
    ["anemic, diagnosed, asthmatic", "anemia, diagnosis, asthma"],
    ["cirrhotic, psoriatic and arthritic", "cirrhosis, psoriasis, arthritis"],
    ["Down’s syndrome", "Down syndrome"],
    ["foetus", "fetus"],
    ["caesarean", "cesarean"],
    ["leucocytes", "leukocyte"],
    ["insulin analogues", "insulin analog"],
    ["manoeuvre", "maneuver"],
    ["Parkinson’s disease", "Parkinsons disease"],
    ["Sjögrenʼs", "Sjogren´s"],
    ["Crohn＇s", "Crohn"],
    ["vitamin B‑12", "vitamin B12"],
    ["COVID–19", "COVID19"],
    ["met\u200bfor\u00admin\ufeff", "metformin"],
    ["ｍｅｔｆｏｒｍｉｎ", "metformin"],
    ["İLAÇ", "ilac"],
    ["腎功能", "肾功能"],
    ["江戶の醫學", "江戸の医学"],
    ["めとほるみん", "メトホルミン"],
    ["혈당에서, 환자에게", "혈당은, 환자"],
    ["للدواء", "الدواء"],
  ])("of %s are those of %s", (one, other) => {
    expect(termsOf(one)).toEqual(termsOf(other));
  });

  it.each([
    ["糖尿病の症状", ["糖尿", "尿病", "病ノ", "ノ症", "症状"]],
    ["मधुमेह के लक्षण", ["मधुमेह", "के", "लक्षण"]],
    ["당뇨병의 증상", ["당뇨", "뇨병", "증상"]],
    ["2型糖尿病", ["2", "型糖", "糖尿", "尿病"]],
    ["HbA1c値は7%", ["hba1c", "值ハ", "7"]],
    ["โรค", ["โร", "รค"]],
  ])("of %s are whole words or pairs of characters", (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  it("come with the words they are made from, without case and accents", () => {
    expect(wordsOf("The Ménière’s symptoms")).toEqual([
      { word: "meniere", term: "menier" },
      { word: "symptoms", term: "symptom" },
    ]);
  });

  it.each([
    ["potatoes", "potato"],
    ["aerobic", "aerobic"],
    ["shoes", "shoe"],
  ])("keep %s apart from British spellings", (one, other) => {
    expect(termsOf(one)).toEqual(termsOf(other));
  });

  it.each([
    ["hypnosis", "hypnotic"],
    ["narcosis", "narcotics"],
    ["hypoglycemia", "hypoglycemic"],
    ["eosinophilia", "eosinophils"],
  ])("keep %s apart from %s", (one, other) => {
    expect(termsOf(one)).not.toEqual(termsOf(other));
  });

  it("leave a long run of letters unstemmed, because stemming it would stall the process", () => {
    const run = "qujd".repeat(50_000);
    expect(termsOf(`asthma ${run}`)).toEqual(["asthma", run]);
  });

  it.each([
    ["nothing", "", []],
    ["punctuation", "?!… —", []],
    ["half surrogate pairs", "asthma\ud83d\ude00\ud83d \udc00care", ["asthma", "care"]],
    ["invisible characters", "\u200b\u00ad\ufeff", []],
  ])("of %s are what is left", (_name, text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  it.each(["1", "a1", "é", "’a", "病", "e\u0301", "b-", "b\u200b"])(
    "are read from a megabyte of %j in linear time",
    (part) => {
      expect(termsOf(part.repeat(1_000_000 / part.length)).length).toBeGreaterThan(0);
    },
  );

  it("each map to a dimension of the sparse space", () => {
    for (const term of ["asthma", "é", "5.5"]) {
      expect(termId(term)).toBeGreaterThanOrEqual(1);
      expect(termId(term)).toBeLessThanOrEqual(TERM_SPACE);
      expect(termId(term)).toBe(termId(term));
    }
  });
});

describe("tokens", () => {
  it("are counted in the o200k vocabulary", () => {
    expect(countTokens("Hello world")).toBe(2);
    expect(countTokens("<|endoftext|>")).toBeGreaterThan(1);
    expect(countTokens("")).toBe(0);
  });

  it("are never undercounted for a long unbroken run", () => {
    const run = "ab".repeat(5000);
    expect(countTokens(run)).toBeGreaterThanOrEqual(10_000 / 8);
    expect(countTokens(`${run} ${run}`)).toBeGreaterThan(countTokens(run));
  });

  it("include names, tool calls and the overhead of each message, and leave images to the bounds of a model", () => {
    const plain = countMessageTokens([{ role: "user", content: "Hi" }]);
    const image = { type: "image_url", image_url: { url: "x" } };
    expect(plain).toBe(8);
    expect(
      countMessageTokens([{ role: "user", content: [{ type: "text", text: "Hi" }, image] }]),
    ).toBe(plain);
    expect(
      countMessageTokens([{ role: "assistant", content: null, tool_calls: [{ id: "a" }] }]),
    ).toBeGreaterThan(8);
  });

  it.each([
    ["words", "These words go on. ".repeat(5000), 7],
    ["one run", "ab".repeat(50_000), 4096],
    ["lines", `${"A line of text.\n".repeat(3000)}${" ".repeat(20_000)}end`, 70_000],
  ])("of %s that come in pieces are about those of the whole", async (_name, text, length) => {
    const counter = new TokenCounter();
    expect(counter.isEmpty).toBe(true);
    for (let start = 0; start < text.length; start += length) {
      counter.add(text.slice(start, start + length));
    }
    expect(counter.isEmpty).toBe(false);
    expect((await counter.count()) / countTokens(text)).toBeCloseTo(1, 1);
  });

  it("can be cut at a whole character", () => {
    expect(takeTokens("one two three", 2)).toBe("one two");
    expect(takeTokens("short", 100)).toBe("short");
    expect(takeTokens("👩‍⚕️👩‍⚕️👩‍⚕️", 2).isWellFormed()).toBe(true);
  });
});
