import { expect, test } from "vitest";
import { readQuestion } from "@/lib/evidence/questions/question";
import { readCorpus } from "./corpus";
import { likeliestOf } from "./likely";
import { scoreAll } from "./score";

const SOURCES = [
  {
    number: 1,
    title: "Naloxone › How it works",
    text: "Naloxone pushes opioids off their receptors. Naloxone does no harm to a person who has not taken opioids.",
  },
  {
    number: 2,
    title: "Insulin › Storage",
    text: "Opened insulin pens keep for 28 days at room temperature.",
  },
];

function likeliest(asked: string) {
  const question = readQuestion(asked, "en");
  const corpus = readCorpus(SOURCES, "en");
  return likeliestOf(question, corpus, scoreAll(question, corpus));
}

test("contradicts a false premise", () => {
  const likely = likeliest("Why does naloxone harm a person who has not taken opioids?");
  expect(likely?.candidate.text).toMatch(/^Naloxone does no harm/);
  expect(likely?.likelihood).toBeGreaterThan(0.75);
});

test("is null if no source mentions what is asked about, whatever words it shares", () => {
  const likely = likeliest("How long do opened insulin pens keep at room temperature?");
  expect(likely?.candidate.text).toMatch(/28 days/);
  expect(likely?.likelihood).toBeGreaterThan(0.75);
  expect(
    likeliest("How long do opened levothyroxine tablets keep at room temperature?"),
  ).toBeNull();
});

test("doesn't answer for one document from another one", () => {
  const likely = likeliest("Does naloxone keep for 28 days at room temperature?");
  expect(likely?.candidate.source.number).toBe(1);
});

test("is null if there is nothing to quote", () => {
  const question = readQuestion("What is insulin?", "en");
  const corpus = readCorpus([], "en");
  expect(likeliestOf(question, corpus, scoreAll(question, corpus))).toBeNull();
});
