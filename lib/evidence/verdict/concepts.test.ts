import { expect, test } from "vitest";
import { judge } from "./judge";

const NITRIC = "Nitric oxide (NO) relaxes vessels. Exercise raises the production of NO in humans.";
const LEUKEMIA =
  "Acute lymphoblastic leukemia (ALL) is a cancer. Most children with ALL are cured.";
const WEIGHT =
  "Low birth weight (LBW) is under 2,500 g. LBW raises the risk of infection in newborns.";

test.each([
  ["Exercise raises the production of nitric oxide in humans.", NITRIC],
  ["Exercise raises the production of NO in humans.", NITRIC],
  ["Most children with acute lymphoblastic leukemia are cured.", LEUKEMIA],
  ["Low birth weight raises the risk of infection in newborns.", WEIGHT],
])("supports a sentence with the other form of an abbreviation: %s", (claim, passage) => {
  expect(judge(claim, passage).verdict).toBe("supported");
});

test.each([
  ["All children are cured.", LEUKEMIA, "partial"],
  ["High birth weight raises the risk of infection in newborns.", WEIGHT, "contradicted"],
  [
    "There is an effect of exercise on NO in humans.",
    "Nitric oxide (NO) relaxes vessels. There is no effect of exercise on NO in humans.",
    "contradicted",
  ],
])("doesn't take an abbreviation for another word: %s", (claim, passage, verdict) => {
  expect(judge(claim, passage).verdict).toBe(verdict);
});
