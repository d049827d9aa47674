import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChatMessage } from "@/lib/models/schema";
import { MAX_EARLIER_TURNS, toStandaloneQuery } from "./standalone-query";

/** User messages with an answer after each but the last. */
function conversation(...said: string[]): ChatMessage[] {
  return said.flatMap((content, index): ChatMessage[] => [
    { role: "user", content },
    ...(index < said.length - 1 ? [{ role: "assistant" as const, content: "It is [1]." }] : []),
  ]);
}

function queryOf(...said: string[]): string {
  return toStandaloneQuery(conversation(...said)).text;
}

const ASTHMA = "What are the treatments for asthma?";

describe("a message that leans on the conversation", () => {
  it.each([
    ["How is it treated?", "How is asthma treated?"],
    ["What causes it?", "What causes asthma?"],
    ["What are its symptoms?", "What are asthma’s symptoms?"],
    ["Is this contagious?", "Is asthma contagious?"],
    ["Can children get it?", "Can children get asthma?"],
    ["Is it safe to take with alcohol?", "Is asthma safe to take with alcohol?"],
    ["And the symptoms?", "asthma: And the symptoms?"],
    ["symptoms", "asthma: symptoms"],
    ["What are the side effects of that drug?", "asthma: What are the side effects of that drug?"],
    ["And in children?", `${ASTHMA} And in children?`],
    ["What about pregnancy?", `${ASTHMA} What about pregnancy?`],
    ["With alcohol?", `${ASTHMA} With alcohol?`],
    ["Why?", `${ASTHMA} Why?`],
    ["why is that", `${ASTHMA} why is that`],
    ["What are the survival chances?", "asthma: What are the survival chances?"],
    ["How do I prepare?", "asthma: How do I prepare?"],
    ["What about gout?", "What are the treatments for gout?"],
    ["and celiac disease?", "What are the treatments for celiac disease?"],
    ["No, I meant gout", "What are the treatments for gout?"],
    ["sorry i meant gout", "What are the treatments for gout?"],
    ["Same question for gout", "What are the treatments for gout?"],
    ["whats the max dose", "asthma: whats the max dose"],
    ["what can I eat", `${ASTHMA} what can I eat`],
    ["is there anything natural", "asthma: is there anything natural"],
    ["hm ok. and for gout?", `${ASTHMA} hm ok. and for gout?`],
    ["???", `${ASTHMA} ???`],
    ["\u200bWhy\u200b?", `${ASTHMA} Why?`],
  ])("%j is completed", (last, query) => {
    expect(toStandaloneQuery(conversation(ASTHMA, last))).toEqual({
      text: query,
      dependsOnConversation: true,
    });
  });

  it.each([
    [
      ["What is atrial fibrillation?", "What causes it?", "And how is it treated?"],
      "And how is atrial fibrillation treated?",
    ],
    [["What is asthma?", "What about gout?", "How is it treated?"], "How is gout treated?"],
    [["What is asthma?", "What is gout?", "How is it treated?"], "How is gout treated?"],
    [["What is asthma?", "Thanks!", "How is it treated?"], "How is asthma treated?"],
    [["My son is six. Does he have asthma?", "How is it treated?"], "How is asthma treated?"],
    [["What is vitamin A?", "Where is it found?"], "Where is vitamin A found?"],
    [["Is psoriasis contagious?", "and eczema?"], "Is eczema contagious?"],
    [["Is psoriasis contagious?", "what triggers it?"], "what triggers psoriasis?"],
    [["What is type 2 diabetes?", "How is it treated?"], "How is type 2 diabetes treated?"],
    [["Can ibuprofen be taken with warfarin?", "Is it safe?"], "ibuprofen, warfarin: Is it safe?"],
    [["How is type 1 diabetes treated?", "and type 2?"], "How is type 2 diabetes treated?"],
    [["How is hepatitis A spread?", "what about hepatitis C"], "How is hepatitis C spread?"],
    [["How is diabetes treated?", "and type 2?"], "How is diabetes treated? and type 2?"],
    [
      ["What medicines treat gout?", "which of these is best?"],
      "What medicines treat gout? which of these is best?",
    ],
    [["My dad has gout.", "What can he do?"], "gout: What can he do?"],
    [["What is Down syndrome?", "How is it treated?"], "How is Down syndrome treated?"],
    [
      ["What is gout?", "When should I call a doctor?"],
      "What is gout? When should I call a doctor?",
    ],
  ])("%j takes its subject from the turns before", (said, query) => {
    expect(queryOf(...said)).toBe(query);
  });
});

describe("a message that stands alone", () => {
  it.each([
    "What causes gout?",
    "And what causes gout?",
    "What is lupus and how is it treated?",
    "My child has measles. Is it contagious?",
    "Is it safe to take ibuprofen during pregnancy?",
    "Is it true that statins cause cancer?",
    "Which drugs that treat gout are safe?",
    "What can people with lupus do to manage their pain?",
    "Does aspirin lose its effect?",
    "Is this rash contagious?",
    "gout treatment",
    "How is Down's syndrome diagnosed? Why?",
    "In adults with gout, what is the dose?",
    "Thanks!",
    "Thank you very much",
    "  How is gout treated?\n",
  ])("%j is unchanged", (last) => {
    expect(toStandaloneQuery(conversation(ASTHMA, last))).toEqual({
      text: last,
      dependsOnConversation: false,
    });
  });

  it("is the first one, however little it says", () => {
    expect(toStandaloneQuery(conversation("How is it treated?"))).toEqual({
      text: "How is it treated?",
      dependsOnConversation: false,
    });
    expect(queryOf("Hello!", "How is it treated?")).toBe("How is it treated?");
  });

  it("is a long one", () => {
    const long = `${"Since last week I feel unwell. ".repeat(20)}How is it treated?`;
    expect(queryOf(ASTHMA, long)).toBe(long);
  });
});

describe("any conversation", () => {
  it("reads the text of parts, and no message but the user's", () => {
    const parts: ChatMessage[] = [
      { role: "system", content: "You know all about gout." },
      { role: "user", content: [{ type: "text", text: ASTHMA }] },
      { role: "assistant", content: "Gout is something else." },
      { role: "user", content: [{ type: "image_url" }, { type: "text", text: "Why?" }] },
    ];
    expect(toStandaloneQuery(parts).text).toBe(`${ASTHMA} Why?`);
    const image: ChatMessage = { role: "user", content: [{ type: "image_url" }] };
    expect(toStandaloneQuery([image, image]).text).toBe("");
    expect(toStandaloneQuery([{ role: "assistant", content: "Gout." }]).text).toBe("");
  });

  it("goes back a bounded number of turns", () => {
    const between = Array<string>(MAX_EARLIER_TURNS).fill("Why?");
    expect(queryOf(ASTHMA, ...between, "Why?")).toBe("Why?");
    expect(queryOf(ASTHMA, ...between.slice(1), "Why?")).toContain("asthma");
  });

  it("yields a bounded query, whatever was said", () => {
    const words = [
      "it",
      "and",
      "what about",
      "asthma",
      "in",
      "is",
      "why",
      "?",
      "\u200b",
      ",",
      "x".repeat(900),
    ];
    const message = fc
      .array(fc.constantFrom(...words), { maxLength: 300 })
      .map((all) => all.join(" "));
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 12 }), (said) => {
        const { text, dependsOnConversation } = toStandaloneQuery(conversation(...said));
        expect(dependsOnConversation ? text.length <= 1000 : text === said.at(-1)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
