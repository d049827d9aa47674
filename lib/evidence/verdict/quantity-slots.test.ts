import { expect, test } from "vitest";
import { judge } from "./judge";

/** A sentence that gives numbers for two things, each as a claim and with the other's number. */
test.each([
  [
    "Men need 3.7 liters of fluid a day and women 2.7 liters.",
    "Women need 2.7 liters of fluid a day.",
    "Women need 3.7 liters of fluid a day.",
  ],
  [
    "Before surgery, stop aspirin 7 days and clopidogrel 5 days in advance.",
    "Stop aspirin 7 days before surgery.",
    "Stop clopidogrel 7 days before surgery.",
  ],
  [
    "Adults and children take 500 mg and 250 mg respectively.",
    "Children take 250 mg.",
    "Adults take 250 mg.",
  ],
  [
    "Mortality was 12% and 20% in the treated and control groups, respectively.",
    "Mortality was 12% in the treated group.",
    "Mortality was 20% in the treated group.",
  ],
  [
    "Take 10 mg in the morning and 20 mg at night for pain.",
    "Take 10 mg in the morning for pain.",
    "Take 20 mg in the morning for pain.",
  ],
  ["Boys grew 6 cm, girls 5 cm and toddlers 9 cm.", "Toddlers grew 9 cm.", "Toddlers grew 6 cm."],
])("%s", (passage, right, wrong) => {
  expect(judge(right, passage).verdict).toBe("supported");
  expect(judge(wrong, passage)).toMatchObject({ verdict: "contradicted", reason: "number" });
});
