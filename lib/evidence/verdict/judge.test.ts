import { describe, expect, test } from "vitest";
import { judge } from "./judge";

type Pair = readonly [claim: string, passage: string];

function agree(pairs: readonly Pair[]): void {
  test.each(pairs)("%s | is supported by | %s", (claim, passage) => {
    const { verdict, reason } = judge(claim, passage);
    expect({ verdict, reason }).toEqual({ verdict: "supported", reason: null });
  });
}

function disagree(verdict: string, expected: string, pairs: readonly Pair[]): void {
  test.each(pairs)(`%s | is ${verdict} (${expected}) by | %s`, (claim, passage) => {
    const { verdict: actual, reason } = judge(claim, passage);
    expect({ verdict: actual, reason }).toEqual({ verdict, reason: expected });
  });
}

describe("content terms", () => {
  agree([
    ["Asthma inflames the airways.", "Asthma is a disease that inflames the airways of the lungs."],
    ["The inhibitor blocks the enzyme.", "The enzyme is blocked by this inhibitor."],
    ["Diabetic people develop neuropathy.", "Neuropathy develops in people with diabetes."],
    ["Obese adults often snore.", "Snoring is often seen in adults with obesity."],
    [
      "The oesophagus was inflamed in anaemic women.",
      "The esophagus was inflamed in anemic women.",
    ],
    ["The tumour was localised.", "The tumor was localized."],
    ["Paediatric haematology covers leukaemia.", "Pediatric hematology covers leukemia."],
    ["The fibre was analysed by the centre.", "The fiber was analyzed by the center."],
    ["Vaccines protect against measles [1].", "Vaccines protect against measles."],
    ["Statins protect the heart.", "Statins protect the heart [4, 5] and the brain."],
  ]);
  disagree("unsupported", "missing_terms", [
    ["Asthma inflames the airways.", "The recipe terms flour, butter and sugar."],
    ["Vaccines protect against measles.", "Ibuprofen relieves headache and back pain."],
    ["Statins lower cholesterol.", "The museum opens at noon on weekdays."],
    ["Insulin regulates glucose uptake in muscle.", "Glaucoma damages the optic nerve."],
    ["Malaria spreads by mosquito bites.", "Gout deposits urate crystals in joints."],
  ]);
  disagree("partial", "missing_terms", [
    ["Zinc shortens colds and prevents baldness.", "Zinc lozenges shorten colds."],
  ]);
  disagree("partial", "subject", [
    ["Asthma inflames airways and damages kidneys.", "Asthma inflames the airways of the lungs."],
    ["Migraine causes nausea and permanent blindness.", "Migraine causes nausea in many people."],
  ]);
});

describe("synonyms and abbreviations", () => {
  agree([
    ["Smoking causes heart attacks.", "Smoking causes myocardial infarction."],
    ["Smoking causes MI.", "Smoking causes heart attacks."],
    ["Salt worsens high blood pressure.", "Salt worsens hypertension."],
    ["Salt worsens hypertension.", "Salt worsens high blood pressure."],
    ["Kidney function was measured.", "Renal function was measured."],
    ["Hepatic injury was reported.", "Liver injury was reported."],
    ["Children with fever need fluids.", "Paediatric patients with pyrexia need fluids."],
    ["The medication relieves itching.", "The drug relieves pruritus."],
    ["Paracetamol relieves headache.", "Acetaminophen relieves headache."],
    ["Adrenaline treats anaphylaxis.", "Epinephrine treats anaphylaxis."],
    ["Flu vaccination is advised.", "Influenza immunization is advised."],
    [
      "Breathlessness is a symptom of COPD.",
      "Dyspnoea is a symptom of chronic obstructive pulmonary disease.",
    ],
    ["Vitamin C prevents scurvy.", "Ascorbic acid prevents scurvy."],
    ["A stroke can cause aphasia.", "A cerebrovascular accident can cause aphasia."],
    ["TB is spread by coughing.", "Tuberculosis is spread by coughing."],
    [
      "UTI is treated with nitrofurantoin.",
      "Urinary tract infection is treated with nitrofurantoin.",
    ],
    [
      "MDSC drive myelodysplasia.",
      "Myeloid-derived suppressor cells (MDSC) were counted. Myelodysplasia is driven by myeloid-derived suppressor cells.",
    ],
    [
      "Transverse aortic constriction caused hypertrophy.",
      "Mice had transverse aortic constriction (TAC). After a month TAC caused hypertrophy.",
    ],
    ["IL6 was measured.", "IL-6 was measured."],
    ["TGF-β drives fibrosis.", "TGFβ drives fibrosis."],
    ["TNF-alpha drives inflammation.", "TNFα drives inflammation."],
  ]);
  disagree("unsupported", "missing_terms", [
    ["Smoking causes heart attacks.", "Smoking stains teeth."],
    ["Kidney stones are painful.", "Liver cysts are common."],
  ]);
});

describe("numbers", () => {
  agree([
    ["The dose was 1,000 units per vial.", "The dose was 1000 units per vial."],
    ["Three trials were pooled.", "3 trials were pooled."],
    ["Twenty-five hospitals took part.", "25 hospitals took part."],
    ["Half of the children recovered.", "50% of the children recovered."],
    ["A quarter of the women relapsed.", "25 percent of the women relapsed."],
    ["Two-thirds of the smokers quit.", "Two thirds of the smokers quit."],
    ["The titre was 10^3 copies.", "The titre was 1000 copies."],
    ["The titre was 10³ copies.", "The titre was 10^3 copies."],
    ["The count was 1.5 × 10^6 bacteria.", "The count was 1.5 million bacteria."],
    ["The count was 2 x 10(5) platelets.", "The count was 200,000 platelets."],
    ["Five million people were infected.", "5,000,000 people were infected."],
    ["The risk rose 1.5-fold.", "The risk rose 1.5 fold."],
    ["Expression rose twofold.", "Expression rose 2-fold."],
    ["The rate was 0.5 in the cohort.", "The rate was .5 in the cohort."],
    ["The ratio was 1.45 in the cohort.", "The ratio was 1·45 in the cohort."],
    ["Prevalence was 493 per million.", "Prevalence was 0.0493%."],
    ["1 in 5 infants wheezed.", "20% of infants wheezed."],
    ["½ tablet is enough for cats.", "0.5 tablet is enough for cats."],
    ["1¹⁄2 tablets are enough for cats.", "1½ tablets are enough for cats."],
    ["1¹⁄₂ tablets are enough for cats.", "1.5 tablets are enough for cats."],
    ["⁷⁄₈ tablet is enough for cats.", "⅞ tablet is enough for cats."],
    ["A total of ５０ nurses answered.", "A total of 50 nurses answered."],
  ]);
  disagree("contradicted", "number", [
    ["The dose was 40 mg of atorvastatin.", "The dose was 80 mg of atorvastatin."],
    ["Three trials were pooled.", "Five trials were pooled."],
    ["Half of the children recovered.", "30% of the children recovered."],
    ["The risk rose 1.5-fold.", "The risk rose 2.5-fold."],
    ["The survey covered 412 hospitals.", "The survey covered 142 hospitals."],
    ["Prevalence was 5 per million.", "Prevalence was 493 per million."],
    ["Patients had type 1 diabetes.", "Patients had type 2 diabetes."],
  ]);
  disagree("partial", "number", [
    [
      "The survey of 412 hospitals found resistant bacteria.",
      "The survey of hospitals found resistant bacteria.",
    ],
    ["Metformin lowers glucose in 70% of adults.", "Metformin lowers glucose in adults."],
  ]);
  test("ignores digits in names", () => {
    expect(judge("IL-6 was raised.", "IL-6 was raised.").verdict).toBe("supported");
    expect(judge("p53 was lost.", "p53 was lost.").verdict).toBe("supported");
    expect(judge("IL-6 drives fever.", "IL-2 drives fever.").reason).toBe("subject");
  });
});

describe("ranges", () => {
  agree([
    ["Treatment lasts 5-10 days in adults.", "Treatment lasts 5 to 10 days in adults."],
    ["Treatment lasts 5–10 days in adults.", "Treatment lasts between 5 and 10 days in adults."],
    ["Doses were 5, 10 and 15 mg.", "Doses were 5 mg, 10 mg and 15 mg."],
    ["Births of 1941-60 were counted.", "Births of 1941-1960 were counted."],
    ["Temperature ranged from −5 to 5 °C.", "Temperature ranged from -5 °C to 5 °C."],
  ]);
  disagree("contradicted", "number", [
    ["Treatment lasts 5-10 days in adults.", "Treatment lasts 5 to 14 days in adults."],
    ["Treatment lasts between 7 and 10 days in adults.", "Treatment lasts 5–10 days in adults."],
    ["Doses were 5, 10 and 25 mg.", "Doses were 5, 10 and 15 mg."],
  ]);
});

describe("units", () => {
  agree([
    ["The maximum dose is 500 mg.", "The maximum dose is 0.5 g."],
    ["Infuse 1.5 L of saline.", "Infuse 1500 mL of saline."],
    ["Treat for 2 weeks with penicillin.", "Treat for 14 days with penicillin."],
    ["Follow-up lasted 12 months.", "Follow-up lasted 1 year."],
    ["Glucose was 5.5 mmol/L after fasting.", "Glucose was 5.5 mmol per litre after fasting."],
    ["Glucose was 5.5 mM after fasting.", "Glucose was 5.5 mmol/l after fasting."],
    ["Give 250 mcg of salbutamol.", "Give 250 µg of salbutamol."],
    ["Give 250 micrograms of salbutamol.", "Give 0.25 mg of salbutamol."],
    ["Ten per cent of patients relapsed.", "10% of patients relapsed."],
    ["Patients aged 65 years were enrolled.", "65-year-old patients were enrolled."],
    ["A 10-mg dose of morphine was given.", "A dose of 10 mg of morphine was given."],
    ["Give 5 mg/kg of ketamine.", "Give 5 mg per kg of ketamine."],
    ["Body mass index was 30 kg/m2 in the cohort.", "Body mass index was 30 kg/m² in the cohort."],
    ["Clearance was 90 mL/min in donors.", "Clearance was 90 ml min-1 in donors."],
    ["The sample was kept at 4 °C.", "The sample was kept at 4 degrees Celsius."],
    ["Give 500 mg of salbutamol at noon.", "Give 500 mg¹ of salbutamol at noon."],
    ["The rate was 5% in adults.", "The rate was 5%² in adults."],
    ["The dose in adults is 20 mg daily.", "The dose in adults is 20\u2006⁴ mg daily."],
    ["The dose in adults is 20 mg daily.", "The dose in adults is 20 mg\u2006ᵃ,ᵇ daily."],
    ["The dose in adults is 20 mg daily.", "The dose in adults is 20* mg daily."],
    ["Quenorin is taken at noon.", "Quenorin is taken at noon.\u2006¹ Adults rest."],
    ["The dose is 10\u2006⁶ mg daily.", "The dose is 10\u2006⁶ mg daily."],
  ]);
  disagree("contradicted", "number", [
    ["Take ³⁄₂ tablets at noon.", "Take ¹⁄₂ tablets at noon."],
    ["Take ¹/₃ of a tablet at noon.", "Take ²/3 of a tablet at noon."],
    ["Platelets were 150 × 10 ⁶/L.", "Platelets were 150 × 10 ⁹/L."],
    ["Treatment lasts for 10 days.", "Treatment lasts for 10 ⁶ days."],
    ["Treatment lasts for 56 days.", "Treatment lasts for 5 \u03016 days."],
  ]);
  disagree("contradicted", "unit", [
    ["The maximum dose is 500 g.", "The maximum dose is 500 mg."],
    ["Infuse 500 L of saline.", "Infuse 500 mL of saline."],
    ["Treat for 2 months with penicillin.", "Treat for 2 weeks with penicillin."],
    ["The sample was kept at 37 °F.", "The sample was kept at 37 °C."],
    ["Glucose was 5.5 mg/dL after fasting.", "Glucose was 5.5 mmol/L after fasting."],
    ["Give 250 mg of salbutamol.", "Give 250 µg of salbutamol."],
  ]);
});

describe("frequencies", () => {
  agree([
    ["Take ibuprofen twice daily.", "Take ibuprofen 2 times a day."],
    ["Take ibuprofen twice daily.", "Take ibuprofen BID."],
    ["Take ibuprofen twice a day.", "Take ibuprofen b.i.d. with food."],
    ["Take ibuprofen twice daily.", "Take ibuprofen every 12 hours."],
    ["Take ibuprofen three times daily.", "Take ibuprofen q8h."],
    ["Take ibuprofen once a day.", "Take ibuprofen daily."],
    ["Take 10 mg of ramipril per day.", "Take 10 mg of ramipril once daily."],
    ["Take ramipril 10 mg daily.", "Take ramipril 10 mg/day."],
    ["Inject methotrexate once weekly.", "Inject methotrexate every 7 days."],
    ["Change the dressing every other day.", "Change the dressing every 2 days."],
  ]);
  disagree("contradicted", "number", [
    ["Take ibuprofen twice daily.", "Take ibuprofen three times a day."],
    ["Inject methotrexate once daily.", "Inject methotrexate once weekly."],
    ["Take ibuprofen every 4 hours.", "Take ibuprofen every 8 hours."],
  ]);
});

describe("comparators", () => {
  agree([
    ["Fast for at least 8 hours before surgery.", "Fast for ≥ 8 hours before surgery."],
    ["Fast for no less than 8 hours before surgery.", "Fast for 8 hours or more before surgery."],
    ["Screen adults aged over 65 years of age.", "Screen adults older than 65 years of age."],
    ["Use up to 4 g of paracetamol.", "Use no more than 4 g of paracetamol."],
    ["Use at most 4 g of paracetamol.", "Use ≤4 g of paracetamol."],
    ["Platelets below 50 need transfusion.", "Platelets < 50 need transfusion."],
    ["Platelets under 50 need transfusion.", "Platelets less than 50 need transfusion."],
    ["More than 300 nurses answered.", "> 300 nurses answered."],
    ["At least 300 nurses answered.", "More than 300 nurses answered."],
    ["About 300 nurses answered.", "300 nurses answered."],
    ["The effect was significant (P < 0.05).", "The effect was significant (p<.05)."],
    ["Adults aged 65+ were screened.", "Adults aged 65 or older were screened."],
  ]);
  disagree("contradicted", "comparator", [
    ["Fast for at most 8 hours before surgery.", "Fast for at least 8 hours before surgery."],
    ["More than 300 nurses answered.", "Fewer than 300 nurses answered."],
    ["The effect was significant (P > 0.05).", "The effect was significant (P < 0.05)."],
    ["Platelets above 50 need transfusion.", "Platelets below 50 need transfusion."],
    ["Use at least 4 g of paracetamol.", "Use up to 4 g of paracetamol."],
  ]);
  disagree("partial", "comparator", [
    ["Exactly 300 nurses answered.", "More than 300 nurses answered."],
    ["Use 4 g of paracetamol.", "Use up to 4 g of paracetamol."],
    ["More than 300 nurses answered.", "At least 300 nurses answered."],
  ]);
});

describe("dates", () => {
  agree([
    ["The trial opened on 5 March 2020.", "The trial opened on March 5, 2020."],
    ["The trial opened on 2020-03-05.", "The trial opened on 5 March 2020."],
    ["The trial opened on 05/03/2020.", "The trial opened on 5 March 2020."],
    ["The trial opened on 03/05/2020.", "The trial opened on March 5th, 2020."],
    ["The trial opened in March 2020.", "The trial opened on 5 March 2020."],
    ["The trial opened in 2020.", "The trial opened on 5 March 2020."],
  ]);
  disagree("contradicted", "number", [
    ["The trial opened on 6 March 2020.", "The trial opened on March 5, 2020."],
    ["The trial opened in April 2020.", "The trial opened in March 2020."],
    ["The trial opened on 2021-03-05.", "The trial opened on 5 March 2020."],
  ]);
});

describe("negation", () => {
  agree([
    ["Aspirin does not prevent dementia.", "Aspirin did not prevent dementia."],
    ["Aspirin never prevents dementia.", "Aspirin does not prevent dementia."],
    ["Antibiotics fail to cure colds.", "Antibiotics do not cure colds."],
    ["No benefit of vitamin E was seen.", "Vitamin E was of no benefit."],
    ["The rash isn't contagious.", "The rash is not contagious."],
    ["Zinc is ineffective against warts.", "Zinc is not effective against warts."],
    [
      "The drug works not only in adults but in infants.",
      "The drug works in adults and in infants.",
    ],
    ["Patients recovered without surgery.", "Patients recovered without surgery."],
  ]);
  disagree("contradicted", "negation", [
    ["Aspirin prevents dementia.", "Aspirin does not prevent dementia."],
    ["Aspirin does not prevent dementia.", "Aspirin prevents dementia."],
    ["Antibiotics cure colds.", "Antibiotics failed to cure colds."],
    ["Antibiotics cannot cure colds.", "Antibiotics can cure colds."],
    ["Vitamin E was of benefit.", "Vitamin E was of no benefit."],
    ["The rash is contagious.", "The rash isn't contagious."],
    ["Zinc is effective against warts.", "Zinc is ineffective against warts."],
    ["Zinc is not effective against warts.", "Zinc is effective against warts."],
    ["Patients recovered with surgery.", "Patients recovered without surgery."],
    ["Neither statins nor fibrates reduced falls.", "Statins and fibrates reduced falls."],
    ["There was lack of consent for the biopsy.", "There was consent for the biopsy."],
  ]);
  test("doesn't contradict a claim by negating something else", () => {
    const passage = "Garlic was associated with lower cholesterol but not with weight.";
    expect(judge("Garlic was associated with lower cholesterol.", passage).verdict).toBe(
      "supported",
    );
    expect(judge("Garlic was associated with weight.", passage).verdict).toBe("contradicted");
  });
});

describe("direction", () => {
  agree([
    ["Caffeine raises heart rate.", "Caffeine increases heart rate."],
    ["Exercise reduces anxiety.", "Exercise lowers anxiety."],
    ["Anxiety was lower after exercise.", "After exercise, anxiety was reduced."],
    ["The gene is up-regulated in glioma.", "The gene is upregulated in glioma."],
    ["Physiotherapy improves gait.", "Gait improved with physiotherapy."],
    ["Caffeine does not lower heart rate.", "Caffeine did not reduce heart rate."],
  ]);
  disagree("contradicted", "direction", [
    ["Caffeine raises heart rate.", "Caffeine lowers heart rate."],
    ["Exercise increases anxiety.", "Exercise reduces anxiety."],
    ["The gene is upregulated in glioma.", "The gene is down-regulated in glioma."],
    ["Physiotherapy worsens gait.", "Physiotherapy improves gait."],
    ["Warfarin is indicated in pregnancy.", "Warfarin is contraindicated in pregnancy."],
    ["Codeine is safe for infants.", "Codeine is unsafe for infants."],
    ["The enzyme promotes apoptosis.", "The enzyme inhibits apoptosis."],
    ["The smear was positive for malaria.", "The smear was negative for malaria."],
    ["Mortality was higher with placebo.", "Mortality was lower with placebo."],
    ["Take levothyroxine after breakfast.", "Take levothyroxine before breakfast."],
    ["The strain is sensitive to penicillin.", "The strain is resistant to penicillin."],
  ]);
  test("uses the nearest of two directions", () => {
    const passage = "The diet increased fibre intake and decreased sugar intake in adolescents.";
    expect(judge("The diet increased fibre intake in adolescents.", passage).verdict).toBe(
      "supported",
    );
    expect(judge("The diet decreased fibre intake in adolescents.", passage).verdict).toBe(
      "contradicted",
    );
  });
});

describe("assertions", () => {
  test("supports a claim with two sentences together", () => {
    const passage =
      "Lithium is cleared by the kidneys. Dehydration raises lithium levels in blood.";
    const claim = "Lithium is cleared by the kidneys, and dehydration raises its levels.";
    expect(judge(claim, passage)).toMatchObject({ verdict: "supported", quote: { text: passage } });
  });

  test.each([
    "We investigated whether garlic lowers cholesterol in adults.",
    "OBJECTIVE To determine whether garlic lowers cholesterol in adults.",
    "It is unclear whether garlic lowers cholesterol in adults.",
  ])("%s asserts nothing", (passage) => {
    expect(judge("Garlic lowers cholesterol in adults.", passage)).toMatchObject({
      verdict: "partial",
      reason: "not_asserted",
    });
  });

  test("supports a claim that states an aim", () => {
    const aim = "We investigated whether garlic lowers cholesterol in adults.";
    expect(
      judge("The authors investigated whether garlic lowers cholesterol in adults.", aim).verdict,
    ).toBe("supported");
  });

  test.each(["", "   ", "[1]", "It is what it is.", "!?"])(
    "reports the claim %j as empty",
    (claim) => {
      expect(judge(claim, "Garlic lowers cholesterol.")).toEqual({
        verdict: "unsupported",
        score: 0,
        method: "rules",
        reason: "empty",
        quote: null,
      });
    },
  );

  test("supports nothing from an empty passage", () => {
    expect(judge("Garlic lowers cholesterol.", "")).toMatchObject({
      verdict: "unsupported",
      reason: "missing_terms",
      quote: null,
    });
  });
});
