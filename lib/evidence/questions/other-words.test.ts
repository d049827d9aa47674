import { describe, expect, test } from "vitest";
import { fitOf } from "@/lib/testing/fit-of";

const FITS = { subject: true, relation: true, constraints: true };

describe("a sentence answers a question asked in other words", () => {
  test.each([
    ["Should I avoid coffee before a gout test?", "Gout", "Avoid caffeine before a gout test."],
    ["Can I put insulin in the freezer?", "Insulin", "Insulin must never be frozen."],
    ["Can my smartwatch detect gout?", "Gout", "Wearable devices detect gout."],
    [
      "How long can I keep liquid amoxicillin?",
      "Amoxicillin",
      "Discard the suspension after 14 days.",
    ],
    ["Which germs cause most sepsis?", "Sepsis", "Bacteria cause most sepsis."],
    ["Which bacterium causes most sepsis?", "Sepsis", "Escherichia coli causes most sepsis."],
    ["Do pills stop gout?", "Gout", "Tablets do not treat gout."],
    ["What blood test proves gout?", "Gout", "A blood test confirms gout."],
    [
      "How many days of penicillin are needed for strep throat?",
      "Penicillin",
      "The course for streptococcal sore throat is 10 days.",
    ],
    ["When is an operation needed for gout?", "Gout", "Surgery is needed when tophi break open."],
    [
      "How quickly does nitroglycerin ease angina?",
      "Angina",
      "Nitroglycerin relieves angina within minutes.",
    ],
    ["How fast does naloxone kick in?", "Naloxone", "Naloxone works within 2 to 3 minutes."],
    ["How common is gout in the US?", "Gout", "Gout affects 4% of people in the United States."],
    [
      "How many Americans have gout?",
      "Gout",
      "About 9 million people in the United States have gout.",
    ],
    [
      "How long does the flu virus stay in the air?",
      "Influenza (flu)",
      "Influenza stays in the air for 3 hours.",
    ],
    ["How long is the half-life of digoxin?", "Digoxin", "Digoxin has a half-life of 36 hours."],
    [
      "How long before a run should I take albuterol?",
      "Albuterol",
      "Albuterol is inhaled 15 minutes before a run.",
    ],
    [
      "By what age do babies recover from palsy?",
      "Palsy",
      "Many babies recover by 3 months of age.",
    ],
    ["By what age is rickets noticed?", "Rickets", "Rickets is noticed in the first year of life."],
    ["How many years do people live with ALS?", "ALS", "Most survive 3 to 5 years."],
    ["When was gout first described?", "Gout", "Gout was first described in 1848."],
    ["Where is gout most common?", "Gout", "Gout is most common in New Zealand."],
    [
      "In which countries is fucosidosis most prevalent?",
      "Fucosidosis",
      "It is most prevalent in Italy and Cuba.",
    ],
    [
      "When do I give the second dose of epinephrine?",
      "Epinephrine",
      "Give a second dose after 5 to 15 minutes.",
    ],
    [
      "Is the dose of digoxin changed in kidney disease?",
      "Digoxin",
      "Doses are reduced in kidney disease.",
    ],
    [
      "How many doses of aspirin can a child have?",
      "Aspirin",
      "A child should have at most five doses in 24 hours.",
    ],
    [
      "What INR target for a mitral valve?",
      "Warfarin",
      "A mitral valve calls for an INR target of 2.5 to 3.5.",
    ],
    ["What is the HbA1c goal?", "HbA1c", "An HbA1c goal below 7% suits many adults."],
    [
      "Within how many days must Paxlovid be started?",
      "COVID-19",
      "Paxlovid must be started within 5 days of the first symptoms.",
    ],
    [
      "How many people in the US have a stroke each year?",
      "Stroke",
      "Nearly 800,000 people in the United States have a stroke each year.",
    ],
    [
      "Does penicillin treat Lyme disease?",
      "Penicillin",
      "Penicillin is used for early Lyme disease.",
    ],
    ["What is clavulanate for?", "Amoxicillin", "Clavulanate is added to block these enzymes."],
    ["What is pica a sign of?", "Anemia", "Pica is a sign of iron deficiency."],
    ["Who is most likely to get gout?", "Gout", "Men are more likely than women to get gout."],
    [
      "What are the odds that my baby has sickle cell?",
      "Sickle cell",
      "Each child has a 25% chance of inheriting it.",
    ],
    ["Which patients can not have an MRI?", "MRI", "MRI cannot be used in people with pacemakers."],
    ["Does a tumor spread to other tissues?", "Tumor", "A tumor may spread to nearby tissues."],
    [
      "What happens if sepsis is not treated?",
      "Sepsis",
      "Sepsis can lead to death without treatment.",
    ],
    [
      "Is the goiter in Hashimoto's painful?",
      "Hashimoto's Disease",
      "The goiter is usually not painful.",
    ],
    [
      "What is the difference between cystitis and pyelonephritis?",
      "UTI",
      "Cystitis is in the bladder, and pyelonephritis is in the kidney.",
    ],
    [
      "How is normal pressure hydrocephalus diagnosed?",
      "Normal Pressure Hydrocephalus",
      "Doctors use tests to diagnose it.",
    ],
  ])("%s is answered by “%s”: %s", (question, title, text) => {
    expect(fitOf(question, title, text)).toEqual(FITS);
  });
});

describe("a sentence doesn't answer", () => {
  test.each([
    ["What is the HbA1c goal?", "HbA1c", "An HbA1c of 6.5% means diabetes."],
    ["When should zinc not be used for colds?", "Colds", "Zinc reduces colds in adults."],
    ["How can gout be slowed down?", "Gout", "Diabetes is a cause of gout."],
    [
      "Can I give thrusts to my 8 month old?",
      "Choking",
      "Give thrusts to a person over 1 year of age.",
    ],
    [
      "How many people with chickenpox get shingles?",
      "Shingles",
      "Shingles is common over age 50.",
    ],
    [
      "When does gout not need treatment?",
      "Gout",
      "The most common complication of gout is tophi.",
    ],
    [
      "What happens if AFib is left untreated?",
      "AFib",
      "AFib ends within 7 days, with or without treatment.",
    ],
    ["What are the signs of anthrax?", "Anthrax", "Anthrax can cause three forms of disease."],
    [
      "How does heparin work?",
      "Warfarin › How warfarin works",
      "Heparin is given in the first days.",
    ],
  ])("%s: “%s” only says: %s", (question, title, text) => {
    expect(fitOf(question, title, text)).not.toEqual(FITS);
  });
});
