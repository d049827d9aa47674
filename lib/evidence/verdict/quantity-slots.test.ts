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

test.each([
  ["Adults take 10 or 20 mg at night.", "Adults take 10 mg at night."],
  [
    "Tablets of 5 mg and 10 mg are available in pharmacies.",
    "Tablets of 5 mg are available in pharmacies.",
  ],
  [
    "Patients were examined 12 and 24 months after surgery.",
    "Patients were examined 12 months after surgery.",
  ],
  [
    "Type 1 diabetes affects 5% and type 2 diabetes 90% of patients.",
    "Type 2 diabetes affects 90% of patients.",
  ],
  [
    "The drug lowered pressure by 10 mmHg and placebo by 2 mmHg.",
    "Compared with placebo, the drug lowered pressure by 10 mmHg.",
  ],
  ["Boys grew 6 cm and girls 5 cm.", "Boys grew 6 cm, more than girls."],
  [
    "Rates of death or relapse were 12% and 20% in the treated and control groups, respectively.",
    "The rate of relapse was 12% in the treated group.",
  ],
])("%s | doesn't contradict | %s", (passage, claim) => {
  expect(judge(claim, passage).verdict).not.toBe("contradicted");
});

test.each([
  [
    "The drug lowered pressure by 10 mmHg and placebo by 2 mmHg.",
    "The drug lowered pressure by 2 mmHg compared with placebo.",
  ],
  [
    "Men need 3.7 liters of fluid a day and women 2.7 liters.",
    "Men and women need 2.7 liters of fluid a day.",
  ],
])("%s | doesn't support | %s", (passage, claim) => {
  expect(judge(claim, passage).verdict).not.toBe("supported");
});
