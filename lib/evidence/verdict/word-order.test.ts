import { describe, expect, test } from "vitest";
import { judge } from "./judge";

describe("who does what to whom, and what is compared with what", () => {
  test.each([
    ["The risk of dengue was higher in rural than in urban areas.", "rural", "urban"],
    ["Activity was lower in exercised rats than in untrained rats.", "exercised", "untrained"],
    ["Values were higher in vaccinated than in unvaccinated mice.", "vaccinated", "unvaccinated"],
    ["The cells preferentially use SAGA rather than TFIID at these sites.", "SAGA", "TFIID"],
    ["Values were lower in quetiapine and risperidone than placebo.", "quetiapine", "placebo"],
    ["It was higher in non-survivors than in survivors here.", "non-survivors", "survivors"],
    ["We conclude that PACAP inhibits transcription in these neurons.", "PACAP", "transcription"],
  ])("%s | contradicts the same with %s and %s exchanged", (passage, one, other) => {
    const swap: Record<string, string> = { [one]: other, [other]: one };
    const claim = passage.replace(
      new RegExp(`(?<![\\w-])(?:${other}|${one})(?![\\w-])`, "g"),
      (word) => swap[word] ?? word,
    );
    expect(claim).not.toBe(passage);
    expect(judge(passage, passage).verdict).toBe("supported");
    expect(judge(claim, passage)).toMatchObject({ verdict: "contradicted", reason: "roles" });
  });

  test.each([
    [
      "The incidence of dementia was lower in towns than in villages.",
      "The incidence of dementia was higher in villages than in towns.",
    ],
    ["Transcription is inhibited by PACAP.", "PACAP inhibits transcription."],
    ["PACAP inhibits transcription.", "Transcription is inhibited by PACAP."],
    [
      "Induction therapy followed by maintenance therapy is given.",
      "Treatment is induction therapy followed by maintenance therapy.",
    ],
    [
      "Insulin, which somatostatin inhibits, is released by the pancreas.",
      "The pancreas releases insulin, which is inhibited by somatostatin.",
    ],
    [
      "Growth velocity is increased by growth hormone treatment.",
      "Growth hormone treatment increases growth velocity.",
    ],
    [
      "Warfarin was preferred less often than apixaban.",
      "Apixaban was preferred to warfarin by most patients.",
    ],
    [
      "The contractor pays the supplier after the client has paid the contractor.",
      "The supplier is paid by the contractor after the client has paid the contractor.",
    ],
    [
      "Your health in many ways is affected by your weight.",
      "Your weight affects your health in many ways.",
    ],
  ])("%s | says the same as | %s", (claim, passage) => {
    expect(judge(claim, passage).verdict).not.toBe("contradicted");
  });

  test.each([
    [
      "Insulin resistance is caused by high blood sugar.",
      "Insulin resistance causes high blood sugar.",
    ],
    [
      "Warfarin levels raise amiodarone levels.",
      "Warfarin levels are raised by amiodarone levels.",
    ],
    [
      "Growth hormone treatment is increased by growth velocity.",
      "Growth hormone treatment increases growth velocity.",
    ],
    ["The vessel narrows the plaque.", "The vessel is narrowed by the plaque."],
  ])("%s | contradicts | %s", (claim, passage) => {
    expect(judge(claim, passage)).toMatchObject({ verdict: "contradicted", reason: "roles" });
  });

  test("supports a sentence that has the same words on both sides of two verbs", () => {
    const sentence = "Zinc reduces lithium in rats and aspirin, and lithium in rats reduces zinc";
    for (const said of [
      sentence,
      "zinc reduces aspirin aspirin aspirin reduces zinc",
      "fever than aspirin aspirin aspirin aspirin than aspirin fever",
    ]) {
      expect(judge(said, said).verdict).toBe("supported");
    }
  });
});
