import { describe, expect, test } from "vitest";
import { answerFrom } from "./answer";

const PARACETAMOL = {
  number: 1,
  title: "Acetaminophen (paracetamol) › Overdose",
  text: "Acetaminophen overdose often causes no symptoms at first. Call the local emergency number after any suspected acetaminophen overdose, even if the person feels well.",
};
const JUVENILE_ALS = {
  number: 2,
  title: "Juvenile ALS",
  text: "People with juvenile ALS can have a normal life expectancy.",
};

function answer(question: string, dependsOnConversation = false): string {
  return answerFrom([PARACETAMOL, JUVENILE_ALS], { question, dependsOnConversation });
}

describe("the answer", () => {
  test.each([
    "I took 20 paracetamol tablets an hour ago but I feel fine",
    "My son swallowed too many paracetamol tablets. What should I do?",
  ])("to an emergency begins with whom to call: %s", (question) => {
    expect(answer(question)).toMatch(/^Call the local emergency number .* \[1\]\./);
  });

  test("isn't that there are many, and names a document of the whole subject as the closest", () => {
    const title = "Hair loss";
    const other = { number: 1, title: "Hair dye", text: "Hair dye can be harsh." };
    const source = { number: 2, title, text: "There are many reasons for hair loss." };
    const asked = { question: "What causes hair loss?", dependsOnConversation: false };
    expect(answerFrom([other, source], asked)).toMatch(/do not answer[\s\S]*- Hair loss \[2\]$/);
  });

  const MIGRAINE = {
    number: 1,
    title: "Migraine",
    text: "Migraine is a headache disorder. Each migraine aura symptom usually lasts 5 to 60 minutes. Gepants such as rimegepant do not constrict blood vessels. Migraine is more common in women than in men.",
  };

  test.each([
    [
      "zigzag aura before my migraine lasts half an hour, is that the usual length of an aura symptom",
      "Each migraine aura symptom usually lasts 5 to 60 minutes [1].",
    ],
    [
      "Why is migraine more common in men than in women?",
      "Migraine is more common in women than in men [1].",
    ],
  ])(
    "quotes a sentence that has most of the question, whatever the question's form: %s",
    (question, quote) => {
      expect(answerFrom([MIGRAINE], { question, dependsOnConversation: false })).toBe(quote);
    },
  );

  test("to what should not be done is no sentence without a denial", () => {
    const source = {
      number: 1,
      title: "Warfarin",
      text: "Pain relievers are taken with warfarin for a few days. Warfarin is a blood thinner.",
    };
    const question = "Which pain relievers should not be taken with warfarin?";
    expect(answerFrom([source], { question, dependsOnConversation: false })).toMatch(
      /do not answer/,
    );
  });

  test("shows the sentence that comes closest, without a marker of its own", () => {
    const question = "do gepants make the vessels tight";
    const reply = answerFrom([MIGRAINE], { question, dependsOnConversation: false });
    expect(reply).toBe(
      "The sources found do not answer this question.\n\nClosest passage:\n- Migraine [1]\n  > Gepants such as rimegepant do not constrict blood vessels.",
    );
  });

  test.each([
    "My cold medicine makes me sleepy",
    "I exercise to stay fit, 30 minutes a day",
    "We talked about weird dreams",
    "My doctor prescribes fatty acid capsules for the dryness in my eyes",
    "My face looks saggy after losing weight",
    "Since eating too much sugar is what causes diabetes, how much sugar is safe for my son?",
    "What are the warning signs of a heart attack? My dad asked me",
    "I drink too much coffee, how do I cut down",
    "Because my child ate too many sweets he got type 1 diabetes. How much sugar causes it?",
    "My child eats too many sweets, how do I stop it?",
    "I have too much iron in my blood",
    "My mother was in septic shock last year, how long can fatigue last?",
    "I had sudden weakness on one side three years ago",
    "My strangulated hernia was repaired last month; how long will the pain last?",
    "I have had weakness on one side of my face since my stroke last year",
    "I have a question for school. Fentanyl overdoses rose in 2022.",
    "Since eating too much sugar gave my son diabetes, how much sugar is too much?",
  ])("says nothing of an emergency if there is none: %s", (question) => {
    expect(answer(question)).not.toMatch(/emergency/);
  });

  test.each([
    "Please help! Took 30 Tylenol",
    "Help. Chest pain spreading to left arm",
    "All of a sudden a dark curtain over one eye. What should I do?",
  ])("to an emergency told in two sentences says to call: %s", (question) => {
    expect(answer(question)).toMatch(/emergency/);
  });

  test.each([
    "I think 30 pills is too many, what now",
    "I was told 4000 mg is too much and I took 6000 mg",
    "They say more than 4 g a day is too much and I had 9 g today",
    "I gave my baby acetaminophen 10 ml could that be too much",
    "I gave my daughter 3 teaspoons of Benadryl and that is too much",
    "My husband is wearing 4 fentanyl patches which are too many",
    "I took my metoprolol three times today, that is too much right",
    "Is 20 pills of Tylenol too many? I just took them",
    "Is it too much if I took 10 ibuprofen",
    "Is this too much for my baby? I gave 10 ml of Tylenol",
    "How many fentanyl patches is too many, he has 4 on",
    "I took too much sodium nitrite",
    "My toddler ate too much salt and is now sleepy and twitching",
    "He had too much sun today, he's confused and stopped sweating",
    "My diabetic son had too much sugar and is drowsy",
  ])("to what may be an overdose says to call: %s", (question) => {
    expect(answer(question)).toMatch(/emergency/);
  });

  test.each([
    "My husband looks like he is in cardiogenic shock, cold hands and fainting, what now?",
    "My son has sickle cell disease and is suddenly weak on one side, what should we do?",
    "My toddler has just swallowed laundry powder, who do I call?",
    "My groin hernia is strangulated and the pain is terrible. Can it wait?",
    "My son cut his arm and blood is soaking through the gauze, what do I do right now?",
    "I think I'm getting warning signs of a heart attack. Can I wait until tomorrow?",
    "My husband has heart attack symptoms",
    "My dad is showing signs of a stroke",
    "My right side suddenly went weak",
    "I think my dad is in shock, he is cold and clammy",
    "My child has eaten washing powder",
    "I'm soaking through a pad every 30 minutes after giving birth",
  ])("to an emergency told in passing says to call: %s", (question) => {
    expect(answer(question)).toMatch(/emergency/);
  });

  test("to an emergency that no source covers says to call", () => {
    expect(answer("My father collapsed and can't breathe")).toMatch(/call your local emergency/);
    expect(answer("How do you treat a choking baby?")).toMatch(/call your local emergency/);
    expect(answer("My toddler isn't breathing")).toMatch(/call your local emergency/);
    expect(answer("I just swallowed drain cleaner")).toMatch(/call your local emergency/);
    expect(answer("My baby is limp and has a fever")).toMatch(/call your local emergency/);
    expect(answer("My wife suddenly can't see")).toMatch(/call your local emergency/);
    expect(answer("She is not breathing", true)).toMatch(/call your local emergency/);
  });

  test.each([
    "I accidentally took two doses of my warfarin",
    "took double dose of warfarin by accident",
    "i took my levothyroxine twice today",
    "can't breathe inhaler not working",
    "chest pain radiating to left arm",
    "My wife is bleeding heavily",
    "His seizure isn't stopping",
    "Dad's mouth is hanging and he talks gibberish",
    "Suddenly a dark curtain over my eye",
    "Sudden pain low in my belly",
    "My ketones are 3.6 and I keep vomiting",
    "Dad's face suddenly hangs on one side, should I give him an aspirin?",
    "He was stung by a wasp and now he is wheezing",
    "My baby has something stuck and cannot cry",
    "bleach splashed in my husband's eye",
    "My father takes warfarin and banged his head",
    "She is freezing cold and muddled",
    "My dog is fine, but a snake bit my son",
    "She has jaw pain and feels sick",
    "My uncle is confused and very sleepy",
    "High fever and I can't bend my neck",
    "She is burning up, heart racing and confused",
    "Steak is stuck and I can't even swallow my spit",
    "My sister suddenly has a terrible headache",
    "I suddenly can't pee at all",
    "I'm coughing up foam and can't get air",
    "My pressure is 195/125 and I see blurry",
  ])("to a second dose or a sign of danger says to call: %s", (question) => {
    expect(answer(question)).toMatch(/^This may be an emergency: call your local emergency/);
  });

  test.each([
    ["I feel like ending it all", /crisis line/],
    ["My friend says she wants to kill herself", /crisis line/],
    ["Ich will nicht mehr leben", /Krisentelefon/],
    ["Je veux mourir", /ligne d'écoute/],
  ])("to thoughts of suicide names a crisis line, and no poison center: %s", (question, line) => {
    expect(answer(question)).toMatch(line);
    expect(answer(question)).not.toMatch(/do not answer|\n/);
    expect(answerFrom([], { question, dependsOnConversation: false })).not.toContain("\n");
  });

  test("to an emergency quotes the steps of first aid, and nothing that nobody asked", () => {
    const text = [
      "## First aid",
      "- Call the local emergency number when choking is severe.",
      "- Give a choking person 5 back blows.",
      "## After choking",
      "A person who chokes alone should call the emergency number, even without being able to talk.",
    ].join("\n\n");
    const source = { number: 1, title: "Choking", text };
    const question = "My husband is choking and can't talk";
    const steps = "- Call the local emergency number when choking is severe [1].\n- Give a choking";
    expect(answerFrom([source], { question, dependsOnConversation: false })).toContain(steps);
    expect(answerFrom([source], { question, dependsOnConversation: false })).not.toContain("alone");
  });

  test("to an emergency quotes all steps of first aid: the last may be for this person", () => {
    const steps = [
      "Call the local emergency number when choking is severe.",
      ...["Stay.", "Lean forward.", "Give 5 back blows.", "Give 5 thrusts.", "Repeat them."],
      "Use chest thrusts for a choking person who is in late pregnancy.",
    ];
    const text = ["## First aid", ...steps.map((step) => `- ${step}`)].join("\n\n");
    const question = "How do you help a choking woman who is eight months pregnant?";
    const source = { number: 1, title: "Choking", text };
    expect(answerFrom([source], { question, dependsOnConversation: false })).toContain("chest");
  });

  test("to a question about first aid quotes what must not be done, too", () => {
    const text = [
      "## First aid for infants",
      "- Call the local emergency number when a choking infant cannot cry.",
      "- Give a choking infant 5 back blows between the shoulder blades.",
      "- Turn the choking infant face up and give 5 chest thrusts.",
      "- Never give abdominal thrusts to a choking infant.",
    ].join("\n\n");
    const source = { number: 1, title: "Choking", text };
    for (const question of [
      "What should you not do to a choking baby?",
      "How do I help a choking baby?",
    ]) {
      expect(answerFrom([source], { question, dependsOnConversation: false })).toContain("Never");
    }
  });

  test("to an emergency quotes steps that begin with asking someone to call", () => {
    const text = [
      "## First aid",
      "- Ask someone to call 911 or the local emergency number.",
      "- Push hard on the center of the chest.",
      "- Give 30 compressions, then 2 breaths of CPR.",
    ].join("\n\n");
    const source = { number: 1, title: "CPR", text };
    const question = "My dad collapsed, how do I do CPR?";
    expect(answerFrom([source], { question, dependsOnConversation: false })).toContain("Push hard");
  });

  test("to an emergency doesn't quote advice to ask a doctor when to call", () => {
    const text =
      "Ask your doctor when to call him or her or seek emergency care for TTP. Talk with your doctor about TTP and when you should call 911.";
    const source = { number: 1, title: "TTP", text };
    const question =
      "I've had TTP before and now I have a fever and am so confused, is it TTP again?";
    const answer = answerFrom([source], { question, dependsOnConversation: false });
    expect(answer).toMatch(/^This may be an emergency/);
    expect(answer).not.toMatch(/Ask your doctor|Talk with/);
  });

  test("to an overdose says to call if the source only names other cases", () => {
    const text = "Call the local emergency number for chest pain during ibuprofen use.";
    const source = { number: 1, title: "Ibuprofen", text };
    const ask = (question: string) =>
      answerFrom([source], { question, dependsOnConversation: false });
    expect(ask("He took 30 ibuprofen tablets")).toMatch(/^This may be an emergency.*\n\nCall/);
    expect(ask("I'm on ibuprofen and have chest pain")).toMatch(/^Call/);
  });

  test("to an emergency doesn't quote a source that has one word in common with it", () => {
    const text = "Food stuck with inability to swallow saliva needs an emergency call.";
    const source = { number: 1, title: "Reflux", text };
    const asked = { question: "He swallowed a battery", dependsOnConversation: false };
    expect(answerFrom([source], asked)).not.toContain("saliva");
  });

  test.each([
    ["de", "Ich habe 20 Paracetamol genommen", /Notruf/],
    ["de", "Hilfe, mein Mann atmet nicht mehr!", /Notruf/],
    ["es", "Me he tomado demasiadas pastillas", /número de emergencias/],
    ["es", "Mi hija no puede respirar", /número de emergencias/],
    ["fr", "Mon père ne respire plus", /numéro d'urgence/],
    ["fr", "J'ai avalé une pile", /numéro d'urgence/],
    ["it", "Ho preso troppe compresse di paracetamolo", /numero di emergenza/],
    ["it", "Mio padre ha un forte dolore al petto", /numero di emergenza/],
    ["pt", "Meu pai está com dor no peito e suando", /número de emergência/],
    ["pt", "Tomei 30 comprimidos", /número de emergência/],
    ["nl", "Mijn kind heeft bleekmiddel gedronken", /alarmnummer/],
    ["nl", "Ik heb te veel pillen geslikt", /alarmnummer/],
  ])("to an emergency in %s says to call, in that language: %s", (_, question, reply) => {
    expect(answer(question)).toMatch(reply);
    expect(answer(question, true)).toMatch(reply);
  });

  test("to an emergency quotes sources of the question's language", () => {
    const text =
      "Eine Überdosis Paracetamol macht zuerst oft keine Beschwerden. Bei jedem Verdacht auf eine Überdosis sofort den Notruf 112 anrufen, auch wenn es der Person noch gut geht.";
    const source = { number: 1, title: "Paracetamol", text };
    const asked = {
      question: "Ich habe 20 Tabletten Paracetamol genommen",
      dependsOnConversation: false,
    };
    expect(answerFrom([source], asked)).toMatch(/^Bei jedem Verdacht .* \[1\]\./);
    expect(answerFrom([PARACETAMOL], asked)).toMatch(/^Das kann ein Notfall sein/);
  });

  test.each([
    "Ich nehme seit 10 Tagen Ibuprofen",
    "Was tun bei einer Überdosis?",
    "¿Cuáles son los síntomas de un infarto?",
    "Quels sont les signes d'un AVC ?",
    "Quali sono i sintomi dell'ictus?",
    "Quais são os sinais de um infarto?",
    "Wat zijn de symptomen van een hartaanval?",
    "I took 20 mg of prednisone this morning, is that fine?",
    "I took ibuprofen twice daily for a week",
  ])("doesn't take this for an emergency: %s", (question) => {
    expect(answer(question)).not.toMatch(/emergency|Notfall|emergencia|urgence|emergenz|noodgeval/);
  });

  test.each(["What are the signs of a stroke?", "How can I avoid food poisoning?"])(
    "doesn't take a question about an emergency for one: %s",
    (question) => {
      expect(answer(question)).toMatch(/^The sources found do not/);
    },
  );

  test.each([
    ["hello", /^Hello/],
    ["Thanks a lot!", /welcome/],
    ["what is 2+2", /can't calculate/],
    ["tell me a joke", /can't write/],
    ["Who are you?", /built-in model/],
    ["are you a real doctor", /built-in model/],
    ["Guten Tag!", /^Hallo/],
    ["¡Hola!", /^Hola/],
    ["bonjour", /^Bonjour/],
    ["Grazie mille", /^Prego/],
    ["Olá", /^Olá/],
    ["Bedankt!", /^Graag/],
    ["\u200bhello\u200b", /^Hello/],
    ["hello, how are you?", /^Hello/],
    ["Thanks, that was great!", /welcome/],
  ])("to %s is short and has no source", (question, reply) => {
    expect(answer(question)).toMatch(reply);
    expect(answer(question)).not.toMatch(/\[\d+\]/);
  });

  test("reads words with invisible characters in them", () => {
    expect(answer("life expec\u00adtancy with ju\u200bvenile ALS\u2060")).toMatch(
      /^People with .*\[\d+\]/,
    );
  });

  test("names the subject of the sources if it is narrower than the question's", () => {
    expect(answer("What is the life expectancy with ALS?")).toBe(
      "The sources are about Juvenile ALS; your question is about ALS.\n\nClosest passage:\n- Juvenile ALS [2]",
    );
    expect(answer("What is the life expectancy with juvenile ALS?")).toMatch(/^People with/);
  });

  test("doesn't say that a document of two subjects is about another", () => {
    const title = "What is (are) Gout and Pseudogout ?";
    const source = { number: 1, title, text: "Both cause pain in the joints." };
    const asked = { question: "How is gout inherited?", dependsOnConversation: false };
    expect(answerFrom([source], asked)).toMatch(/^The sources found do not answer/);
  });

  test("to a question that begins like small talk is not small talk", () => {
    expect(answer("What is the time window for acetylcysteine?")).not.toMatch(/no clock/);
    expect(answer("what time is it")).toMatch(/no clock/);
  });

  test("is a refusal in the question's language", () => {
    expect(
      answerFrom([], { question: "Wie wird die Gicht behandelt?", dependsOnConversation: false }),
    ).toBe("Die gefundenen Quellen beantworten diese Frage nicht.");
  });

  test("is in English where another language has half of a disease's name", () => {
    expect(answer("Is sarcoidosis contagious?")).toMatch(/^The sources found do not/);
  });

  test("names the languages of the sources, in the question's language", () => {
    expect(answer("Was sind die Symptome von Asthma?")).toMatch(/auf Englisch/);
  });

  test("asks for the subject if the question was searched without the turns before it", () => {
    expect(answer("How is it treated?", true)).toMatch(/depends on earlier messages/);
  });

  test("has no marker of its own from a title", () => {
    const text = "It is common.";
    const source = { number: 1, title: "Gout [7] attacks", text };
    const reply = answerFrom([source], {
      question: "Is gout fatal?",
      dependsOnConversation: false,
    });
    expect(reply).toContain("- Gout 7 attacks [1]");
  });
});
