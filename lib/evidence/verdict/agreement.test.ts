import { describe, expect, test } from "vitest";
import { judge } from "./judge";

/** Claims in other words than the source's, where shared words prove little. */
describe("claims in other words", () => {
  test.each([
    [
      "Pyridostatin encourages the growth of such cells.",
      "We treated BRCA2 cells with pyridostatin. Such cells stopped all growth within a day.",
    ],
    [
      "There is a positive correlation between statin use and hip fractures.",
      "Use of statins in the prior 180 days was associated with a significant reduction in the risk of hip fracture.",
    ],
    [
      "Lack of FGF21 slows the rate of plaque formation in mice.",
      "FGF21 deficiency causes a marked exacerbation of plaque formation and early death in mice of this strain.",
    ],
  ])("%s | isn't supported when its direction isn't said of it | %s", (claim, passage) => {
    expect(judge(claim, passage).verdict).not.toBe("supported");
  });

  test.each([
    [
      "Vitamin D status is unrelated to birth weight.",
      "We measured vitamin D status in early pregnancy. Birth weight was related to vitamin D status in both cohorts.",
    ],
    [
      "Klf4 is not important for the differentiation of myeloid cells.",
      "Klf4 stimulated differentiation in a line of myeloid cells. Klf4 blocked no other gene in myeloid cells and is important for them.",
    ],
  ])("%s | isn't supported when its denial isn't said | %s", (claim, passage) => {
    expect(judge(claim, passage).verdict).not.toBe("supported");
  });

  test("isn't supported when it says more than the source: only, all, always", () => {
    const passage =
      "Several environmental factors such as diet determine obesity in adults of each cohort.";
    expect(judge("Diet factors determine obesity in adults.", passage).verdict).toBe("supported");
    expect(judge("Solely diet factors determine obesity in adults.", passage).verdict).toBe(
      "partial",
    );
  });

  test.each([
    [
      "High levels of CRP lead to a higher risk of exacerbations in COPD.",
      "Elevated levels of CRP in individuals with COPD were associated with increased risk of having exacerbations.",
    ],
    [
      "The risk of cancer rises with the level of alcohol consumption.",
      "Alcohol use causes health loss, and the risk of cancers rises with increasing levels of consumption.",
    ],
  ])("%s | is supported when its relations are said of the same things | %s", (claim, passage) => {
    expect(judge(claim, passage).verdict).toBe("supported");
  });

  test.each([
    [
      "Low intake of folate is followed by high levels of homocysteine.",
      "High intake of folate in the trials was always followed by low levels of homocysteine in plasma.",
    ],
    [
      "Dexamethasone increases the risk of postoperative bleeding.",
      "In these children, dexamethasone decreased vomiting but was associated with an increased risk of postoperative bleeding.",
    ],
  ])("%s | isn't contradicted by opposites of something else | %s", (claim, passage) => {
    expect(judge(claim, passage).verdict).not.toBe("contradicted");
  });

  test.each([
    [
      "Antiretroviral therapy increases rates of tuberculosis across CD4 strata.",
      "Antiretroviral therapy is strongly associated with a reduction in the incidence of tuberculosis across all CD4 strata.",
    ],
    [
      "Use of pioglitazone is not associated with prostate cancer.",
      "In adjusted analyses, ever use of pioglitazone was associated with prostate cancer and pancreatic cancer.",
    ],
  ])("%s | is contradicted when the source says the opposite of it | %s", (claim, passage) => {
    expect(judge(claim, passage).verdict).toBe("contradicted");
  });
});
