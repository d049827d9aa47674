import { describe, expect, test } from "vitest";
import { readQuestion } from "@/lib/evidence/questions/question";
import { readCorpus } from "./corpus";
import { isPlaceholder, isQuotable } from "./quotable";

function quotable(text: string, question = "How is lupus treated?"): boolean[] {
  return readCorpus([{ number: 1, title: "Lupus", text }]).candidates.map((each) =>
    isQuotable(each, readQuestion(question)),
  );
}

describe("a sentence that is not quoted", () => {
  test.each([
    [
      "points elsewhere",
      "For information on the treatment of lupus, you can read the publication.",
    ],
    ["has an address", "Learn about lupus treatment at https://example.org/lupus."],
    [
      "says that nothing is known",
      "We are unaware of treatment recommendations specific to lupus.",
    ],
    ["tells of research", "Investigators are studying new treatments of lupus."],
    ["depends on the one before", "In others, treatment may be delayed for years."],
    ["is the rest of another", "fallopian tube, and other cancers are treated with surgery."],
    ["names sources of information", "The association is a great source of information on lupus."],
    ["tells of the past", "Treatment of lupus was first described in the early 1900s."],
    ["ends within a statement", "Lupus may be treated with surgery when"],
    ["gives examples of what the one before says", "Examples include rituximab for lupus."],
    ["points to a page after a purpose", "To learn more, see “What you need to know about lupus”."],
    ["announces a list that is missing", "Other symptoms of lupus can include"],
    ["opens a bracket that another closes", "(Adults treat lupus for years; others don't."],
    ["announces what a page showed", "Here are treatments for lupus."],
    ["points to a film", "This short video discusses treatments of lupus."],
    ["invites to trials", "People with lupus may be able to take part in clinical trials."],
    ["tells of trials", "New treatments of lupus are being studied in clinical trials."],
    ["says where to look", "Information about lupus treatment can be found on the site."],
    ["is a form", "Date of treatment: __________ Lupus"],
  ])("%s", (_, text) => {
    expect(quotable(text)).toEqual([false]);
  });

  test("is the name of a page in a list", () => {
    const text = "Lupus is treated:\n- Adult Lupus Treatment\n- With medicines";
    expect(quotable(text)).toEqual([false, true]);
  });

  test("is what something depends on", () => {
    const text = "Treatment of lupus depends on the following:\n- Age\n- General health";
    expect(quotable(text, "How is lupus treated?").slice(-2)).toEqual([false, false]);
  });

  test("is an item together with what came after its list", () => {
    const text =
      "Symptoms include:\n- Fatigue Tests include x-rays. Not everyone needs them.\n- Fever";
    expect(quotable(text)).toEqual([false, true]);
  });

  test("is quoted when the question asks about research", () => {
    const text = "Investigators are studying new treatments of lupus.";
    expect(quotable(text, "What research is being done on lupus?")).toEqual([true]);
  });

  test("and others are", () => {
    expect(quotable("Lupus is treated with medicines. Flares need stronger ones.")).toEqual([
      true,
      true,
    ]);
  });
});

test.each([
  ["Other causes of lupus have been reported in the literature.", true],
  ["Although anyone can get lupus, some people are at higher risk than others.", true],
  ["Thirteen forms, such as the neonatal one, have been described.", false],
  ["No causes of lupus have been reported.", false],
  ["Smokers and men over 65 are at increased risk.", false],
  ["Hair loss has many reasons, including stress and iron deficiency.", false],
  ["There are many reasons.", true],
  ["Dominant and recessive forms of lupus have been described.", false],
])("a sentence announces an answer without giving it: %s %s", (text, isAnnouncement) => {
  expect(isPlaceholder(text)).toBe(isAnnouncement);
});
