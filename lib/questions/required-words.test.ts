import { expect, test } from "vitest";
import { readQuestion } from "./question";
import { requirementOf } from "./required-words";

test.each([
  ["Which pain relievers should not be taken with warfarin?", "Ibuprofen is a pain reliever."],
  ["Is there an antibiotic that does not contain penicillin?", "Amoxicillin is a penicillin."],
  ["Which drugs don't help?", "Tablets are taken for a few days."],
  ["Who should not get the flu vaccine?", "The flu vaccine contains no live virus."],
  ["What percentage of cysts become cancerous?", "There is a small risk of cancer."],
  ["What is the highest daily dose?", "The dose is raised slowly."],
  ["What is the dose for a 2-year-old?", "People aged 4 years and older take 2 puffs."],
  ["How many micrograms a day should I take?", "It takes 5 days to act."],
  ["How many weeks is it applied?", "The cream has been effective in 2 patients."],
  ["How many years can I take it?", "Stay upright for at least 30 minutes."],
  ["How many days should I isolate?", "Call a clinician on the day of a positive test."],
  ["What dose of chlorpromazine is used?", "Some take chlorpromazine."],
  ["How effective is remdesivir?", "Remdesivir is given into a vein."],
  ["How much folic acid should women take?", "Folic acid (vitamin B9) helps women."],
  ["What blood pressure should I stay under?", "Keep your blood pressure at a healthy level."],
  ["In which community was Troyer syndrome seen?", "No one treats Troyer syndrome."],
  ["Why is it taken once a week?", "Methotrexate is taken once a week."],
  ["Why is it called maple syrup disease?", "High levels are toxic because they build up."],
  ["Are the kidneys checked first? Why?", "The kidneys are checked once a year."],
  ["Which drug is given first?", "The drug is given for a year."],
  ["Which bacterium causes it?", "It is caused by bacteria."],
  ["What is the highest dose of extended-release metformin?", "Immediate-release: 2,550 mg."],
])("%s is not answered by: %s", (question, said) => {
  expect(requirementOf(readQuestion(question))(said)).toBe(false);
});

test.each([
  ["Which pain relievers should not be taken with warfarin?", "Avoid ibuprofen with warfarin."],
  ["Which antibiotic is a penicillin?", "Amoxicillin is a penicillin."],
  ["Who should not get the flu vaccine?", "Babies under 6 months should not get it."],
  ["What does the flu vaccine contain?", "It contains no live virus."],
  ["What percentage of cysts become cancerous?", "About a third become cancerous."],
  ["What is the dose for a 6-year-old?", "People aged 4 years and older take 2 puffs."],
  ["What is the dose for a 2-year-old?", "Children take 1 puff."],
  ["What helps when I can't sleep?", "Keep a regular schedule and limit caffeine."],
  ["When should I see a doctor if the pain does not go away?", "See a doctor after two weeks."],
  ["Can a 5-year-old have it?", "People over 60 kg need more."],
  ["What is the dose for a child aged 10 months?", "Children aged 4 years and older take 2."],
  ["Who discovered insulin?", "Insulin was discovered by Frederick Banting."],
  ["How many micrograms a day should I take?", "Adults take 400 mcg."],
  ["How many weeks is it applied?", "The cream is applied for 10 days."],
  ["How much folic acid should women take?", "Women should take 0.4 mg a day."],
  ["In which community was it first seen?", "It was first seen in Amish families."],
  ["Why is it taken once a week?", "Taken daily, methotrexate can be fatal."],
  ["How many hours must I fast?", "The test needs no fasting."],
  ["What dose of amoxicillin is used?", "Half the adult dose."],
  ["How effective is remdesivir?", "Remdesivir shortens the illness."],
  ["Why is it called maple syrup disease?", "It gets its name from the odor."],
  ["Are the kidneys checked first? Why?", "Metformin leaves through the kidneys, so they are."],
  ["Which drug is given first?", "Rituximab is given for a year."],
  ["Which drug cures it?", "There are no cures."],
  ["Which gene is changed?", "Changes in HPD are the cause."],
  ["Which drug is given first?", "Aspirin is given."],
  [
    "How is long-acting insulin taken?",
    "Long-acting insulin is taken daily, rapid-acting at meals.",
  ],
])("%s may be answered by: %s", (question, said) => {
  expect(requirementOf(readQuestion(question))(said)).toBe(true);
});
