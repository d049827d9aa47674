import { describe, expect, test } from "vitest";
import { addressesRelation, meetsConstraints } from "./fit";
import { readPassage } from "./passage";
import { readQuestion } from "./question";

function answers(question: string, title: string, text: string): boolean {
  const asked = readQuestion(question);
  const passage = readPassage({ title, text });
  return addressesRelation(asked, passage) && meetsConstraints(asked, passage);
}

describe("a lay question is answered by a sentence that says so", () => {
  test.each([
    ["Is a prolactinoma cancer?", "Prolactinoma", "A prolactinoma is not a cancer."],
    ["Are hiccups a kind of myoclonus?", "Myoclonus", "A hiccup is an example of this type."],
    ["Is CFS a mental illness?", "CFS", "CFS is not a mental illness."],
    ["Can people with gout walk?", "Gout", "Some people with gout can't walk for days."],
    ["Do children with autism talk?", "Autism", "Some children with autism don't talk."],
    ["Do cats get sick from toxoplasmosis?", "Toxoplasmosis", "It rarely makes cats sick."],
    ["Can you have gout without pain?", "Gout", "Gout without pain is possible."],
    ["metformin b12", "Metformin", "Metformin can lower vitamin B12."],
    ["Why do I cough on lisinopril?", "Lisinopril", "You cough, because bradykinin builds up."],
    ["How do you get tetanus?", "Tetanus", "The bacteria get in through a cut."],
    ["How do you get hepatitis A?", "Hepatitis A", "You get hepatitis A by eating bad food."],
    ["Is measles contagious?", "Measles", "Measles spreads easily through the air."],
    ["Can I take iron with milk?", "Iron", "Milk reduces how much iron is absorbed."],
    ["At what age does gout start?", "Gout", "Gout usually begins in a person's forties."],
    ["Is there a vaccine for scabies?", "Parasites - Scabies", "There is no vaccine."],
    ["What should my pulse be?", "Pulse", "A normal pulse is 60 to 100."],
    ["Does insulin make you fat?", "Insulin", "Insulin often causes some weight gain."],
    ["Is gout common?", "Gout", "Gout is common in men."],
    ["Is gout more common in men?", "Gout", "Gout affects more men than women."],
    ["Is gout different in women than in men?", "Gout", "Women more often have gout in the hand."],
    ["Can malaria kill you?", "Malaria", "Malaria can be fatal."],
    ["Can gout cause fever?", "Gout", "Symptoms of gout are fever and swelling."],
    ["Can people with gout eat peas?", "Gout", "Peas are safe for people with gout."],
    ["Does gout go away on its own?", "Gout", "An attack of gout goes away without treatment."],
    ["Are arrhythmias dangerous?", "Arrhythmia", "Most arrhythmias are not dangerous."],
    ["Is Paget's disease of bone cancer?", "Paget's disease of bone", "It is not cancer."],
    [
      "Is male Turner syndrome possible?",
      "Turner syndrome",
      "Turner syndrome does not occur in males.",
    ],
    ["How do I lower my pulse?", "Pulse", "Regular exercise lowers the pulse."],
    ["Do all people with gout need pills?", "Gout", "Most people with gout need pills."],
    ["What foods contain gluten?", "Gluten", "Many foods with wheat contain gluten."],
    ["What should I eat with gout?", "Gout", "People with gout should eat less meat."],
  ])("%s %s: %s", (question, title, text) => {
    expect(answers(question, title, text)).toBe(true);
  });
});

describe("a lay question isn't answered by its words in another statement", () => {
  test.each([
    ["Is a prolactinoma cancer?", "Prolactinoma", "Certain cancer drugs raise prolactin."],
    ["Is CFS a mental illness?", "CFS", "Symptoms are worse after mental exertion."],
    ["Is gout more common in men?", "Gout", "Both men and women can get gout."],
    ["Can malaria kill you?", "Malaria", "Medicines can kill the parasite."],
    ["Is gout contagious?", "Gout", "If gout is caught early, it is easy to treat."],
    ["Can gout cause fever?", "Gout", "A person with gout and fever should see a doctor."],
    ["Does gout go away on its own?", "Gout", "Gout that does not improve needs a clinician."],
    ["Are arrhythmias dangerous?", "Arrhythmia", "It senses a dangerous ventricular arrhythmia."],
    [
      "Is Paget's disease of bone cancer?",
      "Paget's disease of bone",
      "A cancer called sarcoma has been linked to Paget's disease of bone.",
    ],
    ["Why does gout cause pain?", "Gout", "Gout causes pain in the toes."],
    ["Is male Turner syndrome possible?", "Turner syndrome", "Males have one X chromosome."],
    ["How do I lower my pulse?", "Pulse", "A pulse of 60 or lower is slow."],
    ["Do all people with gout need pills?", "Gout", "Pills lower the uric acid of gout."],
    ["How to stop hiccups", "Hiccups", "Half of the hiccups stop within minutes."],
    ["What foods contain gluten?", "Celiac disease", "A label says that foods are gluten-free."],
    ["What should I eat with gout?", "Gout", "The liver helps to digest food."],
    ["What should I eat with gout?", "Gout", "Some foods can lead to gout."],
    ["Do children with autism talk?", "Autism", "Children with autism often laugh."],
    ["Why did I lose my smell?", "Smell disorders", "People with them lose their smell."],
    ["How do you get tapeworms?", "Tapeworms", "Three species of tapeworms are known."],
    ["Is COPD contagious?", "COPD", "Contact a clinician about a cough in COPD."],
    ["Is asthma contagious?", "Asthma", "Asthma varies from person to person."],
    ["How long is flu contagious?", "Flu", "Most people recover from the flu in 2 weeks."],
    ["Should I take iron with milk?", "Iron", "Cow's milk is low in iron."],
    ["How long should I fast before surgery?", "Surgery", "You can fast for 2 days."],
    ["How long does a puff last?", "Albuterol", "A puff for wheezing every 6 hours."],
    ["symptoms of diabetes", "Diabetes", "A glucose of 200 with typical symptoms confirms it."],
    ["HbA1c threshold diabetes", "HbA1c test", "The HbA1c test is used for diabetes."],
    ["What should my pulse be?", "Pulse", "A normal pulse is checked every 3 to 5 years."],
    ["Is gout the same as arthritis?", "Gout", "People with gout and arthritis see a doctor."],
    ["Does gout spread fast?", "Gout", "Gout can spread to other joints."],
    ["Is gout a type of arthritis?", "Gout", "People with gout may get arthritis."],
    ["Are cataracts painful?", "Cataract", "A retinal detachment causes no pain."],
    ["Can gout be treated?", "Gout", "The type helps to determine the best treatment."],
    ["Why does gout only affect men?", "Gout", "Gout affects men because of uric acid."],
    ["How low is too low for sugar?", "Sugar", "Type 1 diabetes raises blood sugar."],
    ["When is gout serious in adults?", "Gout", "Adults have 2 attacks of gout each year."],
    ["Does insulin make you fat?", "Insulin", "Insulin moves glucose into fat cells."],
    ["Can gout be dangerous to my job?", "Gout", "In infants, gout costs a job."],
  ])("%s %s: %s", (question, title, text) => {
    expect(answers(question, title, text)).toBe(false);
  });

  test("of a document about something else, unless they are near each other", () => {
    const apart = `Don't take aspirin. ${"You walk, eat and sleep well. ".repeat(6)} Surgery helps.`;
    const question = "Can you have surgery on aspirin?";
    expect(answers(question, "Arteries", apart)).toBe(false);
    expect(answers(question, "Arteries", "You can have surgery on aspirin.")).toBe(true);
  });
});
