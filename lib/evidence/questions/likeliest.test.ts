import { describe, expect, test } from "vitest";
import type { DelimitedSource } from "@/lib/text/delimiters";
import { findAnswer, readInLanguage } from "./likeliest";

const GOUT = [
  source(
    "Gout",
    "Gout is a painful arthritis caused by urate crystals. It affects about 4% of adults.",
  ),
  source(
    "Gout › Symptoms",
    "An attack begins suddenly, often at night.\n\n- The joint is red.\n- The joint is hot.",
  ),
  source("Gout › Causes and risk factors", "Urate crystals form in a joint. Beer raises the risk."),
  source("Gout › Treatment", "Colchicine shortens an attack. Allopurinol prevents further ones."),
  source("Influenza (flu) › Treatment", "Oseltamivir shortens influenza by a day."),
  source("Gout in animals › Treatment", "Birds get allopurinol in their water."),
];

function source(title: string, text: string): DelimitedSource {
  return { number: 0, title, text };
}

function ask(question: string, sources = GOUT) {
  const numbered = sources.map((each, at) => ({ ...each, number: at + 1 }));
  const { answers, closest } = findAnswer(question, readInLanguage(numbered, "en"));
  const textsOf = (found: typeof answers) =>
    found.flatMap(({ units }) => units.map(({ text }) => text));
  return { answers: textsOf(answers), closest: textsOf(closest) };
}

describe("a question for a section", () => {
  test.each([
    ["How is gout treated?", "Colchicine shortens an attack."],
    ["What is the treatment of gout?", "Colchicine shortens an attack."],
    ["gout therapy", "Colchicine shortens an attack."],
    ["What are the symptoms of gout?", "An attack begins suddenly, often at night."],
    ["What are the signs of gout?", "An attack begins suddenly, often at night."],
    ["What causes gout?", "Urate crystals form in a joint."],
    ["What are the risk factors for gout?", "Urate crystals form in a joint."],
    ["How is influenza treated?", "Oseltamivir shortens influenza by a day."],
    ["How is the flu treated?", "Oseltamivir shortens influenza by a day."],
    ["How is gout in animals treated?", "Birds get allopurinol in their water."],
  ])("%s is answered from that section", (question, first) => {
    expect(ask(question).answers[0]).toBe(first);
  });

  test("gets all of it, in its order", () => {
    expect(ask("What are the symptoms of gout?").answers).toEqual([
      "An attack begins suddenly, often at night.",
      "The joint is red.",
      "The joint is hot.",
    ]);
  });

  test("that asks what something is gets the sentence that defines it", () => {
    expect(ask("What is gout?").answers).toEqual([
      "Gout is a painful arthritis caused by urate crystals.",
    ]);
  });

  test.each([
    "Is gout treated?",
    "How often is gout treated?",
    "Why is gout treated?",
    "How is gout treated in children?",
    "How is gout not treated?",
    "How is pseudogout treated?",
    "How is asthma treated?",
    "How is treatment-resistant gout treated?",
  ])("isn't answered by a section that says something else: %s", (question) => {
    expect(ask(question).answers.length).toBeLessThan(2);
    expect(ask(question).answers).not.toContain("Allopurinol prevents further ones.");
  });
});

test("nothing is close to a question that shares no word with the sources", () => {
  expect(ask("Who won the cup?")).toEqual({ answers: [], closest: [] });
});
