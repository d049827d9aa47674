import { expect, test } from "vitest";
import { judge } from "./judge";

test.each([
  ["Insulin lowers blood sugar; glucagon raises it.", "Glucagon lowers blood sugar."],
  ["Lisinopril is an ACE inhibitor and losartan an ARB.", "Losartan is an ACE inhibitor."],
  ["The mother is a carrier and the father is affected.", "The father is a carrier."],
  ["Fever and cough are common and a rash is rare.", "A rash is common."],
  ["Insulin is injected, and metformin is taken by mouth.", "Metformin is injected."],
  ["The heart pumps blood and the lungs take in oxygen.", "The lungs pump blood."],
])("%s | doesn't support | %s", (passage, claim) => {
  expect(judge(claim, passage)).toMatchObject({ verdict: "partial", reason: "subject" });
});

test.each([
  ["Insulin lowers blood sugar; glucagon raises it.", "Glucagon raises blood sugar."],
  ["Lisinopril is an ACE inhibitor and losartan an ARB.", "Losartan is an ARB."],
  ["Fever and cough are common and a rash is rare.", "Cough is common."],
  ["Fever and cough are common and a rash is rare.", "A rash is rare."],
  ["Warfarin and aspirin raise the risk of bleeding.", "Aspirin raises the risk of bleeding."],
  ["Aspirin reduces fever and pain in adults.", "Pain in adults is reduced by aspirin."],
  [
    "The kidneys filter blood and the liver removes toxins; both are damaged by alcohol.",
    "The liver is damaged by alcohol.",
  ],
  [
    "Doctors prescribe antibiotics, but viruses are not killed by them.",
    "Viruses are not killed by antibiotics.",
  ],
])("%s | supports | %s", (passage, claim) => {
  expect(judge(claim, passage).verdict).toBe("supported");
});
