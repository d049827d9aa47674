import { expect, test } from "vitest";
import { judge } from "./judge";

const ACETAMINOPHEN =
  "Acetaminophen, also called paracetamol, relieves pain and fever. The maximum total dose for healthy adults is " +
  "4,000 mg in 24 hours. Ask a doctor before you take it with warfarin.";
const TITLE = "Acetaminophen (Tylenol)";

test.each([
  "The maximum total dose for healthy adults is 4,000 mg in 24 hours.",
  "The maximum total dose of acetaminophen for healthy adults is 4,000 mg in 24 hours.",
  "The maximum total dose of paracetamol for healthy adults is 4,000 mg in 24 hours.",
  "The maximum total dose of Tylenol for healthy adults is 4,000 mg in 24 hours.",
  "Acetaminophen relieves pain and fever.",
])("supports a sentence that names the subject or leaves it to the title: %s", (claim) => {
  expect(judge(claim, ACETAMINOPHEN, TITLE)).toMatchObject({ verdict: "supported", reason: null });
});

test.each([
  "The maximum total dose of ibuprofen for healthy adults is 4,000 mg in 24 hours.",
  "The maximum total dose of Ibuprofen for healthy adults is 4,000 mg in 24 hours.",
  "The maximum total dose of aspirin for healthy adults is 4,000 mg in 24 hours.",
  "Metformin relieves pain and fever.",
  "Acetaminophen relieves asthma and fever.",
])(
  "doesn't support a sentence about something that neither passage nor title names: %s",
  (claim) => {
    const { verdict, reason } = judge(claim, ACETAMINOPHEN, TITLE);
    expect({ verdict: verdict === "supported" || verdict === "contradicted", reason }).toEqual({
      verdict: false,
      reason: "subject",
    });
  },
);

test("doesn't support a sentence whose subject was replaced by another of the passage", () => {
  const passage =
    "Warfarin raises the risk of bleeding in older patients. Statins are given to patients with high cholesterol.";
  expect(judge("Statins raise the risk of bleeding in older patients.", passage)).toMatchObject({
    verdict: "unsupported",
    reason: "subject",
    quote: null,
  });
});

test("knows an abbreviation that the passage or the claim spells out", () => {
  const passage = "A body mass index of 30 kg/m2 or more counts as obesity in adults.";
  expect(judge("A BMI of 30 kg/m2 or more counts as obesity in adults.", passage).verdict).toBe(
    "supported",
  );
  expect(judge(passage, "A BMI of 30 kg/m2 or more counts as obesity in adults.").verdict).not.toBe(
    "unsupported",
  );
});

test("reads reference intervals as the source's own numbers", () => {
  const passage = "Sensitivity was 59.6% [40-75] in adults, as reported before [3, 7].";
  expect(judge("Sensitivity was 59.6% [40-75] in adults.", passage).verdict).toBe("supported");
  expect(judge("Sensitivity was 59.6% (40-75) in adults.", passage).verdict).toBe("supported");
  expect(judge("Sensitivity was 59.6% [40-85] in adults.", passage).verdict).not.toBe("supported");
});

test.each([
  ["High levels of interleukin-6 predict death in sepsis.", "In sepsis, high IL-6 predicts death."],
  ["MicroRNA-21 promotes invasion.", "We show that miR-21 promotes invasion."],
  ["Cdk5 phosphorylates the ATM protein.", "Activated Cdk5 phosphorylates ATM."],
])("%s | is about the subject of | %s", (claim, passage) => {
  expect(judge(claim, passage).reason).not.toBe("subject");
});
