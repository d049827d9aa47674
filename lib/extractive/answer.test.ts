import { describe, expect, test } from "vitest";
import { answerFrom } from "./answer";

const PARACETAMOL = {
  number: 1,
  title: "Acetaminophen (paracetamol) › Overdose",
  text: "Acetaminophen overdose often causes no symptoms at first. Call the local emergency number after any suspected acetaminophen overdose, even if the person feels well.",
};
const JUVENILE_ALS = {
  number: 2,
  title: "Juvenile ALS",
  text: "People with juvenile ALS can have a normal life expectancy.",
};

function answer(question: string, dependsOnConversation = false): string {
  return answerFrom([PARACETAMOL, JUVENILE_ALS], { question, dependsOnConversation });
}

describe("the answer", () => {
  test.each([
    "I took 20 paracetamol tablets an hour ago but I feel fine",
    "My son swallowed too many paracetamol tablets. What should I do?",
  ])("to an emergency begins with whom to call: %s", (question) => {
    expect(answer(question)).toMatch(/^Call the local emergency number .* \[1\]\./);
  });

  test("to an emergency that no source covers says to call", () => {
    expect(answer("My father collapsed and can't breathe")).toMatch(/call your local emergency/);
    expect(answer("She is not breathing", true)).toMatch(/call your local emergency/);
  });

  test("doesn't take a question about an emergency for one", () => {
    expect(answer("What are the signs of a stroke?")).toMatch(/^The sources found do not/);
  });

  test.each([
    ["hello", /^Hello/],
    ["Thanks a lot!", /welcome/],
    ["what is 2+2", /can't calculate/],
    ["tell me a joke", /can't write/],
    ["Who are you?", /built-in model/],
  ])("to %s is short and has no source", (question, reply) => {
    expect(answer(question)).toMatch(reply);
    expect(answer(question)).not.toMatch(/\[\d+\]/);
  });

  test("names the subject of the sources if it is narrower than the question's", () => {
    expect(answer("What is the life expectancy with ALS?")).toBe(
      "The sources are about Juvenile ALS; your question is about ALS.\n\nClosest passage:\n- Juvenile ALS [2]",
    );
    expect(answer("What is the life expectancy with juvenile ALS?")).toMatch(/^People with/);
  });

  test("names the languages of the sources, in the question's language", () => {
    expect(answer("Was sind die Symptome von Asthma?")).toMatch(/auf Englisch/);
  });

  test("asks for the subject if the question was searched without the turns before it", () => {
    expect(answer("How is it treated?", true)).toMatch(/depends on earlier messages/);
  });

  test("has no marker of its own from a title", () => {
    const text = "It is common.";
    const source = { number: 1, title: "Gout [7] attacks", text };
    const reply = answerFrom([source], {
      question: "Is gout fatal?",
      dependsOnConversation: false,
    });
    expect(reply).toContain("- Gout 7 attacks [1]");
  });
});
