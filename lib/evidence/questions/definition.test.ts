import { describe, expect, test } from "vitest";
import { definesSubject, isForDefinition } from "./definition";
import { readPassage } from "./passage";
import { readQuestion } from "./question";

function defines(question: string, title: string, text: string): boolean {
  return definesSubject(readQuestion(question), readPassage({ title, text }));
}

describe("a sentence that defines what is asked", () => {
  test.each([
    ["What is sepsis?", "Sepsis", "Sepsis is life-threatening organ damage from an infection."],
    ["What is COPD?", "COPD", "Chronic obstructive pulmonary disease (COPD) is a lung disease."],
    ["What is a TIA?", "Stroke", "A transient ischemic attack (TIA) causes brief stroke symptoms."],
    ["What is the Zika virus?", "Zika Virus", "Zika is a virus that is spread by mosquitoes."],
    ["What is angioedema?", "ACE inhibitors", "They can cause angioedema, a sudden swelling."],
    ["What are tophi?", "Gout", "Lumps of crystals are called tophi and hurt."],
    ["What is the PHQ-9?", "Depression", "The PHQ-9 questionnaire scores symptoms."],
    ["What is secondary gout?", "Gout", "Secondary gout results from another disease."],
    ["What is gout?", "Gout", "Gout is a rare disease that affects the joints."],
    ["What is pica?", "Anemia", "Craving for ice (pica) is a sign of iron deficiency."],
    ["What is NAPQI?", "Acetaminophen", "A part becomes a toxic substance called NAPQI."],
    ["What does finerenone do?", "Kidney disease", "Finerenone reduces kidney damage."],
    ["What is gout?", "Gout", "Gout is a common joint disease in which crystals form."],
    ["What are polyps?", "Polyps", "Polyps are rare, slow-growing tumors."],
    ["What is an aura in migraine?", "Migraine", "Migraine aura is a reversible disturbance."],
    ["What is osteoarthritis?", "Joints", "Osteoarthritis occurs when the cartilage wears away."],
  ])("%s is answered by “%s”: %s", (question, title, text) => {
    expect(defines(question, title, text)).toBe(true);
  });

  test.each([
    ["What is sepsis?", "Sepsis", "Sepsis is treated in hospital."],
    ["What is DVT?", "Clots", "Doctors treat deep vein thrombosis (DVT) with medicines."],
    [
      "What is Usher syndrome?",
      "Usher syndrome",
      "Usher syndrome type I can result from mutations.",
    ],
    ["What does finerenone do?", "Kidney disease", "Finerenone is taken once a day."],
    ["What is sepsis?", "Sepsis", "Sepsis is very common in older people."],
    ["What is sepsis?", "Sepsis", "Bacteria cause most sepsis."],
    [
      "What is social anxiety disorder?",
      "Anxiety disorders",
      "Anxiety disorders are a group of mental disorders, one of which is social phobia.",
    ],
    ["What is gout?", "Gout", "The lumps in gout are made of crystals."],
    ["What is gout?", "Gout", "A severe form is known as gout major."],
    ["What is gout?", "Gout", "Gout is a very common condition."],
    ["What is gout?", "Gout", "Gout is a rare disease that is estimated to affect few."],
    ["What is COPD?", "COPD", "COPD is diagnosed with spirometry."],
    [
      "What is serotonin syndrome?",
      "SSRIs",
      "Serotonin inhibitors are usually the first medicines.",
    ],
    ["What is Graves disease?", "Graves disease", "The inheritance of Graves disease is unclear."],
    ["What is angina?", "Angina", "Stable angina is the most common type of angina."],
    ["What is a stroke?", "Stroke", "The most common kind of stroke is called ischemic stroke."],
    ["What is a stroke?", "Stroke", "A mini-stroke, also called a TIA, is a short one."],
    ["What is a stroke?", "Stroke", "Most strokes are ischemic strokes."],
    ["What is dialysis?", "Kidneys", "With dialysis, the solution stays in the belly."],
    ["What is eGFR?", "Metformin", "Metformin is contraindicated when the eGFR is below 30."],
    ["What is long COVID?", "COVID-19", "COVID-19 is an infectious disease."],
  ])("%s isn't answered by “%s”: %s", (question, title, text) => {
    expect(defines(question, title, text)).toBe(false);
  });

  test("is wanted for “what is”, not for a part or a property of something", () => {
    const isWanted = (question: string) => isForDefinition(readQuestion(question));
    expect(isWanted("What is asthma?")).toBe(true);
    expect(isWanted("What is an aura in migraine?")).toBe(true);
    expect(isWanted("What is the number of the poison center?")).toBe(false);
    expect(isWanted("What are the symptoms of asthma?")).toBe(false);
  });
});
