import { describe, expect, test } from "vitest";
import { judge } from "./judge";

describe("what a claim in other words says of its subject", () => {
  test("a title that says the opposite takes support away", () => {
    const claim = "Antibody targeting of cadherin causes metastasis.";
    const passage =
      "These data indicate that cadherin is a major cause of both metastasis and resistance. Therapeutic targeting of this factor with antibodies may have benefit.";
    expect(judge(claim, passage).verdict).toBe("supported");
    const title = "Antibody targeting of cadherin prevents metastasis";
    expect(judge(claim, passage, title).verdict).toBe("partial");
  });

  test("a sentence repeated almost word for word doesn't need it", () => {
    const passage = "In these trials, statins markedly lowered the risk of stroke in older adults.";
    const claim = "In these trials, statins markedly lowered the risk of stroke in older adults.";
    const title = "Statins raise the risk of stroke in older adults";
    expect(judge(claim, passage, title).verdict).toBe("supported");
  });

  test("a claim about a table's cell doesn't need it", () => {
    const passage =
      "| Drug | Cystitis | Pneumonia |\n|---|---|---|\n| Alopram | 5 days | 12 days |\n| Betacin | 3 days | 9 days |";
    const claim = "Cystitis is treated with Alopram for 5 days.";
    expect(judge(claim, passage, "Trials").verdict).toBe("supported");
  });

  test.each([
    ["Kinesin carries vesicles along the microtubules of neurons.", "supported"],
    ["Vesicles are carried along the microtubules of neurons by kinesin.", "supported"],
    ["Vesicles are dependent on kinesin along the microtubules of neurons.", "supported"],
    ["Kinesin strips vesicles off the microtubules of neurons.", "partial"],
    ["Vesicles are untouched by kinesin along the microtubules of neurons.", "partial"],
    ["Kinesin freezes neurons, microtubules and vesicles.", "partial"],
    ["Kinesin is needed to replace synaptic vesicles along microtubules.", "partial"],
  ])("a word for what is said must be in the passage: %s", (claim, verdict) => {
    const passage =
      "In neurons, the motor protein kinesin was needed to carry synaptic vesicles along microtubules.";
    expect(judge(claim, passage).verdict).toBe(verdict);
  });
});

describe("a word that stands for another in a sentence", () => {
  test.each([
    ["The influenza virus regulates pneumonia in older adults.", "partial"],
    ["Treatment with oseltamivir shortens the holiday by one day.", "partial"],
    ["Treatments with oseltamivir shorten illness by one day.", "supported"],
    ["Patients with BMI above 30 were excluded.", "supported"],
    ["The haemoglobin of nonsmokers with anemia was measured weekly.", "supported"],
  ])("must be in the passage in some form: %s", (claim, verdict) => {
    const passage =
      "The influenza virus causes pneumonia in older adults. Treatment with oseltamivir shortens the illness by one day. Patients with body mass index above 30 were excluded. The hemoglobin of non-smokers with anaemia was measured weekly.";
    expect(judge(claim, passage).verdict).toBe(verdict);
  });

  test("may be a table's column in other words", () => {
    const passage =
      "| Plan | Pages | Support |\n|---|---|---|\n| Free | 50 | none |\n| Pro | 500 | email |";
    const claim = "The Pro plan includes 500 pages, with support by email.";
    expect(judge(claim, passage).verdict).toBe("supported");
  });
});
