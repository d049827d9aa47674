import { describe, expect, test } from "vitest";
import { fitOf } from "@/lib/testing/fit-of";
import { subjectOfTitle } from "./passage";

const FITS = { subject: true, relation: true, constraints: true };
const OTHER_SUBJECT = expect.objectContaining({ subject: false });
const OTHER_RELATION = expect.objectContaining({ subject: true, relation: false });
const OTHER_CONSTRAINTS = expect.objectContaining({ constraints: false });

describe("a sentence about something else that the question's words occur in", () => {
  test.each([
    ["What causes gout?", "Gout", "Gout can cause pain and fever."],
    ["What happens if gout is not treated?", "Lead", "Untreated lead poisoning and gout can kill."],
    ["How is AML treated?", "AML", "Recurrent AML came back after it has been treated."],
    ["What causes gout?", "Gout", "Crystals that do not cause gout are common."],
    ["What are the signs of gout?", "Gout", "Some don't have the classic signs and symptoms."],
    ["How common is sepsis?", "Sepsis", "The lungs are the most common sources of sepsis."],
    ["What raises the risk of gout?", "Gout", "Gout raises your risk for heart disease."],
    ["How common is lupus?", "Lupus", "About 30 percent of females with lupus have a rash."],
    ["How common is lupus?", "Lupus", "Seizures occur in 30% of children with this condition."],
    ["What are the signs of gout?", "Gout", "Many never develop signs and symptoms of gout."],
    ["What are the signs of gout?", "Gout", "The symptoms of gout begin later in women."],
    ["What is anemia?", "Blood", "Aplastic anemia, a disease of the marrow, is rare."],
    ["What is a PSA test?", "PSA test", "PSA tests may be useful for diagnosis."],
    ["What are the signs of gout?", "Gout", "The symptoms of gout are often mild."],
    ["What are the signs of gout?", "Gout", "Gout does not always cause symptoms."],
    ["What are the signs of gout?", "What are the symptoms of Gout ?", "A doctor may order tests."],
    [
      "What are the signs of gout?",
      "What are the symptoms of Gout ?",
      "Some have symptoms like those of gout.",
    ],
    ["What are the signs of gout?", "Gout", "Gout is characterized by damage to the joints."],
    ["What are the signs of gout?", "Gout", "A gene leads to the signs and symptoms of gout."],
    [
      "What are the signs of gout?",
      "Gout",
      "Blood from a donor who has no symptoms can cause gout.",
    ],
    ["What are the stages of gout?", "What are the stages of Gout ?", "Crystals spread to joints."],
    ["What are the complications of gout?", "Gout", "Treatments for the complications are common."],
    ["Can women have gout?", "Gout", "Women who are carriers of gout can have tests."],
    ["What can I do about gout?", "What to do for Gout ?", "Gout has two forms."],
    [
      "How can women lower their risk of gout?",
      "Gout",
      "Women have a lower risk of gout than men.",
    ],
    ["What are the signs of gout?", "Gout", "If you have any symptoms of gout, see a doctor."],
    ["What are the signs of gout?", "Gout", "A donor who does not have symptoms can have gout."],
    ["How is gout treated?", "Gout", "Others get gout because of certain medicines."],
    ["Who gets gout?", "Gout", "Being in bed puts you at risk for infections."],
    ["Is gout hereditary?", "Gout", "The fluid passes slowly through the joint."],
    ["What causes gout?", "Gout", "One form causes a single episode of gout."],
    ["What causes gout?", "Gout", "Some have weight loss for no known reason."],
    ["Is gout common?", "Gout", "Complications of gout, such as stones, are rare."],
    ["Can gout damage the joints?", "Gout", "An x-ray is used to show damage of the joints."],
    [
      "What is the outlook for gout?",
      "What is the outlook for Gout ?",
      "At first, a toe may hurt.",
    ],
    ["Why does gout cause pain?", "Gout", "Beer is a risk for pain in gout."],
    ["How common is gout?", "Gout", "With gout, there is a 25% chance of having a child with it."],
    ["What are the signs of gout?", "Gout", "For severe symptoms, a medication can help."],
    [
      "What are the chances of recovery from gout?",
      "Gout",
      "Aspirin causes damage that may be permanent.",
    ],
    [
      "How is gout treated?",
      "Gout",
      "Checks for gout are advised so stones are found and treated.",
    ],
    ["My son has gout, how did it happen?", "Gout", "Gout affects 1 in 100 men."],
    ["How do doctors close a wound?", "Wound", "A wound is called a laceration."],
    ["How is ovarian cancer diagnosed?", "Ovarian cancer", "Cancers diagnosed in girls are rare."],
    [
      "How is ovarian cancer diagnosed?",
      "Ovarian cancer",
      "Ovarian cancer is hard to detect early.",
    ],
    ["How is gout treated?", "Gout", "Gout is often hard to treat because it hides in joints."],
    ["How is gout diagnosed?", "Gout", "Early diagnosis is essential to save joints with gout."],
    ["How long does naloxone last?", "Naloxone", "Naloxone usually works within 2 minutes."],
    ["How common is gout?", "Gout", "About 60 percent of gout cases are caused by one gene."],
    ["How can falls with gout be prevented?", "Gout", "Gout is common after falls."],
    ["How can gout be prevented?", "Gout", "Preventing falls is a concern for men with gout."],
    ["How common is lupus?", "Lupus", "Such traits are common in people who have lupus."],
    [
      "What are the complications of gout?",
      "Gout",
      "Most are treated and don't have complications.",
    ],
    [
      "What are the complications of gout?",
      "Flu",
      "Worse gout is one of the complications of flu.",
    ],
    ["What are the signs of gout?", "Gout", "Symptoms of gout can develop at any time."],
    [
      "What happens if I stop statins?",
      "Statins",
      "Herbal supplements of biotin should be stopped before tests.",
    ],
    ["What are the signs of gout?", "Gout", "Symptoms of gout vary widely in severity and onset."],
    ["What are the signs of gout?", "Gout", "With gout, a number of symptoms may occur."],
    ["What are the signs of a stroke?", "Fever › Symptoms", "The first sign can be a stroke."],
    ["How common is lupus?", "Lupus", "In rare cases, lupus is inherited."],
    ["How common is lupus?", "Lupus", "Ear infections are very common."],
    ["How common is lupus?", "Lupus", "People with lupus also commonly have skin problems."],
    [
      "How common is lupus?",
      "Lupus",
      "Lupus is diagnosed by testing for common genetic mutations.",
    ],
    ["How is gout treated?", "Gout", "Gout can be triggered by medications for blood pressure."],
    ["How is hereditary gout treated?", "Hereditary gout", "Half of all cases are inherited."],
    ["What are the types of gout?", "Gout", "There are several types of gout."],
    ["What is gout?", "Gout", "When gout is caused by a mutation, it is inherited."],
    ["What is gout?", "Gout", "Gout is dangerous because it damages the kidneys."],
    ["What causes gout?", "Gout", "It can cause pain and swelling."],
    ["What causes gout?", "What causes Gout ?", "Gout often has more than one cause."],
    ["How are cataracts treated?", "Cataract", "Treatment for a detached retina is urgent."],
    ["How are cataracts treated?", "Cataract", "Even if you are treated, vision may be lost."],
    ["How is gout treated?", "Gout", "With treatment, most people with gout do well."],
    ["How is gout treated?", "Gout", "If you don't treat it, it can damage joints."],
    ["What causes gout?", "Gout", "Uric acid may be high and raise the risk of stones."],
    ["What are the signs of rabies?", "Rabies › Signs", "Once signs appear, rabies is fatal."],
    ["What are the signs of gout?", "Gout › Signs", "The signs and symptoms of gout vary widely."],
    ["How common is lupus?", "Lupus", "Most commonly, lupus occurs due to chance."],
    ["What are the signs of flu?", "Flu", "Most had a cold prior to developing the signs of flu."],
    ["What tests diagnose gout?", "Gout", "Once gout has been diagnosed, tests are done."],
    ["How can gout be prevented?", "How to prevent Gout ?", "Beer can cause gout."],
    ["What causes cataracts?", "Cataract", "Cataract surgery poses risks such as bleeding."],
    ["How common is lupus?", "Lupus", "Up to 30% of people with lupus have relatives with it."],
    ["How do you prevent gout?", "Gout", "The Preventive Services Task Force looked at gout."],
    ["What is the INR goal?", "INR", "The INR is a blood test for people with a goal."],
    ["How much insulin should I take?", "Insulin", "With insulin, low glucose is below 70 mg/dL."],
    ["Why is my A1C high?", "A1C", "High glucose needs care, whatever the last A1C result showed."],
    ["What are the signs of autism?", "Autism", "Autism varies widely in its symptoms."],
    [
      "What are the symptoms of lupus?",
      "Lupus",
      "Symptoms of lupus can range from mild to severe.",
    ],
    ["What causes gout?", "Gout", "Pain is one of the problems caused by gout."],
    ["How is spina bifida prevented?", "Spina bifida", "Care helps to prevent complications."],
    ["How much calcium do I need?", "Calcium", "Calcium is needed 4 hours after the pill."],
    ["Who should be tested for gout?", "Gout", "Gout is diagnosed with a test of the joint."],
    ["How is a hernia treated?", "Hernia", "A hernia that is not treated can hurt the bowel."],
    ["What are the complications of measles?", "Measles", "Measles is caused by a virus."],
    ["What causes gout?", "Gout", "People with gout have a higher risk of heart disease."],
    ["Is hyperthyroidism dangerous?", "Hyperthyroidism", "Pills can cause a dangerous fever."],
    ["What causes gout?", "Gout", "Crystals in a joint cause swelling and pain."],
    ["How do you prevent hepatitis B?", "How to prevent Liver Cancer ?", "Hepatitis B and C"],
    [
      "Do I need to fast for a lipid test?",
      "Lipid test",
      "Adults need a lipid test every 4 years.",
    ],
  ])("isn't an answer: %s %s: %s", (question, title, text) => {
    expect(fitOf(question, title, text)).toEqual(OTHER_RELATION);
  });
});

describe("a question about those whom something harms", () => {
  const STATIN = "People with acute liver failure should not take statins.";

  test.each([
    ["Who should not take statins?", "Statins", STATIN],
    ["Who can't take statins?", "Statins", STATIN],
    ["When should statins not be taken?", "Statins", STATIN],
    ["When are statins contraindicated?", "Statins", STATIN],
    ["Who must not take statins?", "Statins", "Statins are contraindicated in cirrhosis."],
  ])("is answered: %s", (question, title, text) => {
    expect(fitOf(question, title, text)).toEqual(FITS);
  });

  test.each([
    [
      "Who must not take warfarin?",
      "Warfarin",
      "Call for bleeding that does not stop on warfarin.",
    ],
    [
      "Who can't have a colonoscopy?",
      "Colonoscopy",
      "Most people avoid red drinks the day before.",
    ],
    ["When should I not take metformin?", "Metformin", "Metformin is taken with meals, 500 mg."],
  ])("isn't answered by another denial or a dose: %s", (question, title, text) => {
    expect(fitOf(question, title, text)).toEqual(OTHER_RELATION);
  });
});

describe("a passage is about another subject", () => {
  test.each([
    ["What is the life expectancy with ALS?", "Juvenile ALS", "Juvenile ALS: normal expectancy."],
    ["How is type 2 diabetes treated?", "Type 1 diabetes", "Type 1 diabetes is treated."],
    ["Is Wilson-like disease rare?", "Wilson disease", "Wilson disease is rare."],
    ["Is Wilson disease rare?", "Wilson-like disease", "This disease is rare."],
    ["What is porphyria type 2B?", "Porphyria", "Porphyria is a group of disorders."],
    ["How is thyroid cancer treated?", "Hyperthyroidism", "Hyperthyroidism is treated."],
    ["What are the side effects of prednisone?", "Statins", "Statins cause side effects."],
    ["Does gout run in families?", "Gout", "Familial gout runs in families."],
    ["What are the signs of lupus?", "Lupus", "Signs of lupus nephritis include foamy urine."],
    ["What are the signs of hepatitis?", "Liver cancer", "Signs of liver cancer are pain."],
    [
      "How is lung cancer treated?",
      "Smoking",
      "Cancer treated with strong new medicines can hurt one lung.",
    ],
    ["How is leukemia treated?", "Childhood leukemia", "Childhood leukemia is treated."],
  ])("%s: %s", (question, title, text) => {
    expect(fitOf(question, title, text)).toEqual(OTHER_SUBJECT);
  });

  test("unless a sentence of a document about a kind names the subject itself", () => {
    const text = "In ALS, life expectancy is 3 to 5 years.";
    expect(fitOf("What is the life expectancy with ALS?", "Juvenile ALS", text)).toEqual(FITS);
  });

  test("or the question has no subject", () => {
    expect(fitOf("How is it treated?", "Asthma", "Asthma is treated.")).toEqual(OTHER_SUBJECT);
  });
});

describe("a passage says something else about the subject", () => {
  test.each([
    ["How is asthma treated?", "Asthma", "Asthma often begins in childhood."],
    ["What is asthma?", "Asthma", "Smoke worsens asthma."],
    ["How long does flu last?", "Flu", "Flu spreads by droplets."],
    ["Is gout inherited?", "Gout", "Gout hurts."],
    ["How long is flu contagious?", "Flu", "Flu is a contagious infection."],
    [
      "How many units of insulin should I take?",
      "Insulin",
      "Insulin has 100 units per milliliter.",
    ],
    ["How many people have gout?", "Gout", "Common triggers of gout are beer and meat."],
  ])("%s: %s", (question, title, text) => {
    expect(fitOf(question, title, text)).toEqual(OTHER_RELATION);
  });
});

describe("a passage uses words of the relation for something else", () => {
  test.each([
    ["symptoms of leukemia", "Doctors examine the body for signs of disease."],
    ["symptoms of leukemia", "A pathologist uses a microscope to look for cells."],
    ["symptoms of leukemia", "Changes of diet are tried first to relieve symptoms."],
    ["treatments of leukemia", "A medical dictionary explains these medical terms."],
    ["diagnosis of leukemia", "Most newly diagnosed children can be cured of it."],
    ["causes of leukemia", "A large tumor may cause the following symptoms."],
    ["causes of leukemia", "What are the symptoms of leukemia? Fever is a result of infections."],
  ])("the %s: %s", (asked, text) => {
    expect(fitOf(`What are the ${asked}?`, "Leukemia", text)).toEqual(OTHER_RELATION);
  });
});

describe("a passage misses a constraint", () => {
  test.each([
    ["Can children be tested for gout?", "Gout", "Tests for gout matter to plan having children."],
    ["Is there a cure for psoriasis?", "Psoriasis › Treatment", "Light therapy may help."],
    ["What is the life expectancy with ALS?", "ALS", "Riluzole prolongs survival by months."],
    ["Do cataracts come back?", "Cataract", "The retina is at the back of the eye."],
    [
      "Is there an antibiotic that does not contain penicillin?",
      "Amoxicillin",
      "It is a penicillin.",
    ],
    ["How is asthma treated in children?", "Asthma", "Asthma is treated with corticosteroids."],
    ["Is ibuprofen safe in pregnancy?", "Ibuprofen", "Ibuprofen is safe for most adults."],
  ])("%s: %s", (question, title, text) => {
    expect(fitOf(question, title, text)).toEqual(OTHER_CONSTRAINTS);
  });
});

test("under the causes of something else, a passage says what the subject causes", () => {
  const [title, text] = ["Gout › Causes", "Kidney disease and beer raise the risk of gout."];
  expect(fitOf("What causes kidney disease?", title, text).relation).toBe(false);
});

test("the age of adults doesn't make a passage one about children", () => {
  const text = "The bleeding risk of ibuprofen is higher in people over 60 years.";
  const { constraints } = fitOf("Can I give my 2 year old ibuprofen?", "Ibuprofen", text);
  expect(constraints).toBe(false);
});

test("a title's subject lacks the frame of a question and the headings", () => {
  expect(subjectOfTitle("What are the symptoms of Gout ? › Feet")).toBe("Gout");
  expect(subjectOfTitle("What is (are) Bell's Palsy ?")).toBe("Bell's Palsy");
  expect(subjectOfTitle("What is (are) Paget disease of bone ?")).toBe("Paget disease of bone");
  expect(subjectOfTitle("Is Gilbert syndrome inherited ?")).toBe("Gilbert syndrome");
  expect(subjectOfTitle("Asthma › Symptoms")).toBe("Asthma");
});

describe("a passage about the subject lacks what a lay question asks", () => {
  test.each([
    ["Is asthma dangerous?", "Asthma", "Asthma is a condition that causes a cough."],
    ["Can bronchitis get better?", "Bronchitis", "A test shows that you have bronchitis."],
    ["How is measles spread?", "Measles", "Measles can spread to other organs."],
    ["What should I eat with gout?", "Gout", "Gout is caused by eating food with purines."],
    ["What causes gout besides beer?", "Gout", "Beer is a cause of gout."],
    ["Do all people with gout need medicine?", "Gout", "Medicine lowers uric acid in gout."],
    ["What is the antidote for warfarin?", "Warfarin", "Treatment with warfarin needs tests."],
    ["Who is at risk for gout?", "Gout", "Gout is a disease caused by uric acid."],
    ["Can you have a baby if you have lupus?", "Lupus", "A baby with lupus is tested."],
    ["What happens if gout is not treated?", "Gout", "Aspirin does not treat gout."],
    ["What drugs can cause gout?", "Gout", "The cause of gout is uric acid."],
    ["What are the complications of measles?", "Measles", "It causes a blotchy red rash."],
    ["Can I get pregnant with lupus?", "Lupus", "Lupus affects women when they are pregnant."],
    ["What is the leading cause of gout?", "Gout", "Beer is a cause of gout."],
    ["How do you catch gout?", "Gout", "The fungus then spreads to other areas of the body."],
    ["Can smoke give me gout?", "Gout", "Try to avoid smoke with gout."],
    ["Can I take aspirin for two weeks?", "Aspirin", "Aspirin can be taken with food."],
    ["How is a biopsy done?", "Biopsy", "Results of a biopsy take several days."],
    ["Is gout the same as lupus?", "Gout", "Gout and lupus are common."],
  ])("%s", (question, title, text) => {
    expect(fitOf(question, title, text)).toEqual(OTHER_CONSTRAINTS);
  });
});
