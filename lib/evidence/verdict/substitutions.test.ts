import { describe, expect, test } from "vitest";
import { judge } from "./judge";

/** True, and false because of one exchanged word, by the same passage. */
function tells(passage: string, claims: { said: string[]; changed: string[] }, title = ""): void {
  test.each(claims.said)(`%s | is supported by | ${passage}`, (claim) => {
    expect(judge(claim, passage, title).verdict).toBe("supported");
  });
  test.each(claims.changed)(`%s | isn't supported by | ${passage}`, (claim) => {
    expect(judge(claim, passage, title).verdict).not.toBe("supported");
  });
}

describe("another subject that the passage names elsewhere", () => {
  tells(
    "Prednisone reduces swelling of the joints. Methotrexate slows the damage. A rheumatologist checks the liver. Eggs, milk and peanuts cause hives.",
    {
      said: ["Prednisone reduces swelling of joints.", "Methotrexate slows damage."],
      changed: [
        "Methotrexate reduces swelling of the joints.",
        "Prednisone slows the damage.",
        "A rheumatologist checks the joints.",
        "A dentist checks the liver.",
        "Eggs, milk and shrimp cause hives.",
      ],
    },
  );
  tells("A heart attack needs treatment at once. Heart failure builds up slowly over years.", {
    said: ["Heart attacks need treatment at once."],
    changed: ["Heart failure needs treatment at once."],
  });
  tells("Acetaminophen (Tylenol) lowers fever. Ibuprofen lowers fever and swelling.", {
    said: ["Tylenol lowers fever."],
    changed: ["Aspirin lowers fever."],
  });
});

describe("another subject whose own sentence says less", () => {
  const claims = (said: string, changed: string) => ({ said: [said], changed: [changed] });
  tells(
    "Metformin is taken twice daily with food. Gliclazide is taken once in the morning.",
    claims("Metformin is taken with food.", "Gliclazide is taken twice daily with food."),
  );
  tells(
    "Metformin wird zweimal täglich zum Essen eingenommen. Gliclazid wird einmal morgens eingenommen.",
    claims(
      "Metformin wird zweimal täglich zum Essen eingenommen.",
      "Gliclazid wird zweimal täglich zum Essen eingenommen.",
    ),
  );
  tells(
    "Muscular dystrophy often slows walking in young men. MS is treated with interferon.",
    claims(
      "Muscular dystrophy often slows walking in young men.",
      "MS often slows walking in young men.",
    ),
  );
  tells("Metformin is taken with food. Gliclazide is taken with food.", {
    said: ["Gliclazide is taken with food.", "Metformin is taken with food."],
    changed: ["Insulin is taken with food."],
  });
});

describe("what a subject points back to", () => {
  for (const subject of ["The condition", "The disease", "It"]) {
    tells(`Cirrhosis damages the liver. ${subject} often leads to fatigue and weight loss.`, {
      said: ["Cirrhosis often leads to fatigue and weight loss."],
      changed: ["Hepatitis often leads to fatigue and weight loss."],
    });
  }
  tells(
    "Esta enfermedad provoca a menudo fatiga y pérdida de peso.",
    {
      said: ["La cirrosis provoca a menudo fatiga y pérdida de peso."],
      changed: ["La hepatitis provoca a menudo fatiga y pérdida de peso."],
    },
    "Cirrosis",
  );
  tells(
    "Metformin is a drug for diabetes. It lowers blood sugar. It is taken with meals. Gliclazide is taken before breakfast.",
    {
      said: ["Metformin is taken with meals.", "It is taken with meals."],
      changed: ["Gliclazide is taken with meals.", "Metformin is taken before breakfast."],
    },
  );
  tells(
    "The disease is inherited from both parents. Menkes disease affects boys.",
    {
      said: ["Wilson disease is inherited from both parents."],
      changed: ["Menkes disease is inherited from both parents."],
    },
    "Wilson disease",
  );
  tells(
    "Metformin and gliclazide lower blood sugar in adults. Insulin is injected under the skin.",
    {
      said: ["Gliclazide lowers blood sugar in adults."],
      changed: ["Insulin lowers blood sugar in adults."],
    },
  );
  tells("Body mass index predicts diabetes in adults. Glaucoma damages the optic nerve.", {
    said: ["BMI predicts diabetes in adults."],
    changed: ["Glaucoma predicts diabetes in adults."],
  });
});

describe("another qualifier", () => {
  tells("Most patients may take one tablet by mouth or a cream once every few weeks.", {
    said: ["Most patients may take one tablet by mouth or a cream once every few weeks."],
    changed: [
      "All patients may take one tablet by mouth or a cream once every few weeks.",
      "Few patients may take one tablet by mouth or a cream once every few weeks.",
      "Most patients must take one tablet by mouth or a cream once every few weeks.",
      "Most patients may take one tablet by injection or a cream once every few weeks.",
      "Most patients may take one tablet by mouth and a cream once every few weeks.",
      "Most patients may only take one tablet by mouth or a cream once every few weeks.",
      "Most patients may take one tablet by mouth or a cream once every few months.",
    ],
  });
  tells("Call your doctor if you have a fever that lasts for days.", {
    said: ["Call a doctor if you have a fever that lasts for days."],
    changed: [
      "Call your doctor unless you have a fever that lasts for days.",
      "Call your doctor if you have a fever that lasts for weeks.",
    ],
  });
  tells("Use at most 4 g a day. It works not only in adults.", {
    said: ["Use at most 4 g a day.", "It works not only in adults."],
    changed: [],
  });
  tells("Symptoms include fever, cough, or fatigue.", {
    said: ["Symptoms include fever and fatigue.", "Symptoms include fever, cough, and fatigue."],
    changed: [],
  });
});

describe("exchanged parts", () => {
  tells("The virus damages the liver of infants. Women get migraines more often than men.", {
    said: ["The liver of infants is damaged by the virus."],
    changed: [
      "The liver damages the virus of infants.",
      "Men get migraines more often than women.",
    ],
  });
  tells("Adults take 400 mg of ibuprofen every eight hours. Gout is linked to obesity.", {
    said: [
      "Adults take ibuprofen 400 mg every eight hours.",
      "Every eight hours adults take 400 mg of ibuprofen.",
      "Obesity is linked to gout.",
    ],
    changed: [],
  });
});

describe("a title's subject", () => {
  tells(
    "Wilson disease is rare. This condition is inherited in an autosomal recessive pattern.",
    {
      said: ["Wilson disease is inherited in an autosomal recessive pattern."],
      changed: ["Wilson disease is inherited in an X-linked recessive pattern."],
    },
    "Wilson disease",
  );
});

describe("other languages", () => {
  tells(
    "Sie betrifft Frauen häufiger als Männer. Die meisten Betroffenen haben Kopfschmerzen auf einer Seite. Triptane verengen die Blutgefäße. Betablocker senken die Häufigkeit der Anfälle.",
    {
      said: ["Die meisten Betroffenen haben Kopfschmerzen auf einer Seite."],
      changed: [
        "Migräne betrifft Männer häufiger als Frauen.",
        "Alle Betroffenen haben Kopfschmerzen auf einer Seite.",
        "Betablocker verengen die Blutgefäße.",
      ],
    },
    "Migräne",
  );
  tells(
    "La metformina se toma dos veces al día con las comidas. La gliclazida se toma una vez al día antes del desayuno.",
    {
      said: ["La metformina se toma dos veces al día con las comidas."],
      changed: ["La gliclazida se toma dos veces al día con las comidas."],
    },
  );
  tells("Un aura puede aparecer antes del dolor. La mayoría de los pacientes tienen fiebre.", {
    said: ["La mayoría de los pacientes tienen fiebre."],
    changed: ["Un aura debe aparecer antes del dolor.", "Pocos pacientes tienen fiebre."],
  });
});
