import { describe, expect, test } from "vitest";
import { judge } from "./judge";

/** A true sentence, the same with a negation removed or added, and with another number or bound. */
type Row = readonly [sentence: string, negated: string, changed?: string];

const SENTENCES: Record<string, readonly Row[]> = {
  de: [
    [
      "Paracetamol darf bei schwerer Leberinsuffizienz nicht eingenommen werden.",
      "Paracetamol darf bei schwerer Leberinsuffizienz eingenommen werden.",
    ],
    [
      "Erwachsene nehmen höchstens 4 g Paracetamol pro Tag ein.",
      "Erwachsene nehmen nicht höchstens 4 g Paracetamol pro Tag ein.",
      "Erwachsene nehmen mindestens 4 g Paracetamol pro Tag ein.",
    ],
    [
      "Die Behandlung mit Penicillin dauert mindestens 10 Tage.",
      "Die Behandlung mit Penicillin dauert nicht mindestens 10 Tage.",
      "Die Behandlung mit Penicillin dauert mindestens 10 Wochen.",
    ],
    [
      "Eine Erkältung wird ohne Antibiotika behandelt.",
      "Eine Erkältung wird mit Antibiotika behandelt.",
    ],
    [
      "Der mittlere Blutdruck sank um 2,5 mmHg nach der Therapie.",
      "Der mittlere Blutdruck sank nicht um 2,5 mmHg nach der Therapie.",
      "Der mittlere Blutdruck sank um 25 mmHg nach der Therapie.",
    ],
    [
      "Bei Kindern unter 12 Jahren wird das Mittel nie angewendet.",
      "Bei Kindern unter 12 Jahren wird das Mittel angewendet.",
      "Bei Kindern unter 16 Jahren wird das Mittel nie angewendet.",
    ],
    [
      "In der Studie mit 1.200 Patienten gab es keine schweren Nebenwirkungen.",
      "In der Studie mit 1.200 Patienten gab es schwere Nebenwirkungen.",
      "In der Studie mit 1.500 Patienten gab es keine schweren Nebenwirkungen.",
    ],
    [
      "Das Medikament erhöht das Risiko für Blutungen im Magen.",
      "Das Medikament erhöht das Risiko für Blutungen im Magen nicht.",
      "Das Medikament senkt das Risiko für Blutungen im Magen.",
    ],
  ],
  es: [
    [
      "El paracetamol no debe tomarse en caso de insuficiencia hepática grave.",
      "El paracetamol debe tomarse en caso de insuficiencia hepática grave.",
    ],
    [
      "Los adultos toman como máximo 4 g de paracetamol al día.",
      "Los adultos no toman como máximo 4 g de paracetamol al día.",
      "Los adultos toman como mínimo 4 g de paracetamol al día.",
    ],
    [
      "El tratamiento con penicilina dura al menos 10 días.",
      "El tratamiento con penicilina no dura al menos 10 días.",
      "El tratamiento con penicilina dura al menos 10 semanas.",
    ],
    [
      "El resfriado común se trata sin antibióticos.",
      "El resfriado común se trata con antibióticos.",
    ],
    [
      "La presión arterial media bajó 2,5 mmHg después de la terapia.",
      "La presión arterial media no bajó 2,5 mmHg después de la terapia.",
      "La presión arterial media bajó 25 mmHg después de la terapia.",
    ],
    [
      "Ningún paciente del grupo de control sufrió una hemorragia.",
      "Un paciente del grupo de control sufrió una hemorragia.",
    ],
    [
      "El medicamento nunca se administra a niños menores de 12 años.",
      "El medicamento se administra a niños menores de 12 años.",
      "El medicamento nunca se administra a niños menores de 16 años.",
    ],
    [
      "El fármaco aumenta el riesgo de hemorragia en el estómago.",
      "El fármaco no aumenta el riesgo de hemorragia en el estómago.",
      "El fármaco reduce el riesgo de hemorragia en el estómago.",
    ],
  ],
  fr: [
    [
      "Le paracétamol ne doit pas être pris en cas d'insuffisance hépatique grave.",
      "Le paracétamol doit être pris en cas d'insuffisance hépatique grave.",
    ],
    [
      "Les adultes prennent au maximum 4 g de paracétamol par jour.",
      "Les adultes ne prennent pas au maximum 4 g de paracétamol par jour.",
      "Les adultes prennent au moins 4 g de paracétamol par jour.",
    ],
    [
      "Le traitement par la pénicilline dure au moins 10 jours.",
      "Le traitement par la pénicilline ne dure pas au moins 10 jours.",
      "Le traitement par la pénicilline dure au moins 10 semaines.",
    ],
    ["Le rhume se soigne sans antibiotiques.", "Le rhume se soigne avec des antibiotiques."],
    [
      "La pression artérielle moyenne a baissé de 2,5 mmHg après le traitement.",
      "La pression artérielle moyenne n'a pas baissé de 2,5 mmHg après le traitement.",
      "La pression artérielle moyenne a baissé de 25 mmHg après le traitement.",
    ],
    [
      "Aucun patient du groupe témoin n'a eu d'hémorragie digestive.",
      "Un patient du groupe témoin a eu une hémorragie digestive.",
    ],
    [
      "Le médicament n'est jamais donné aux enfants de moins de 12 ans.",
      "Le médicament est donné aux enfants de moins de 12 ans.",
      "Le médicament n'est jamais donné aux enfants de moins de 16 ans.",
    ],
    [
      "Ce traitement augmente le risque d'hémorragie de l'estomac.",
      "Ce traitement n'augmente pas le risque d'hémorragie de l'estomac.",
      "Ce traitement réduit le risque d'hémorragie de l'estomac.",
    ],
  ],
  it: [
    [
      "Il paracetamolo non deve essere assunto in caso di grave insufficienza epatica.",
      "Il paracetamolo deve essere assunto in caso di grave insufficienza epatica.",
    ],
    [
      "Gli adulti assumono al massimo 4 g di paracetamolo al giorno.",
      "Gli adulti non assumono al massimo 4 g di paracetamolo al giorno.",
      "Gli adulti assumono almeno 4 g di paracetamolo al giorno.",
    ],
    [
      "Il trattamento con la penicillina dura almeno 10 giorni.",
      "Il trattamento con la penicillina non dura almeno 10 giorni.",
      "Il trattamento con la penicillina dura almeno 10 settimane.",
    ],
    [
      "Il raffreddore comune si cura senza antibiotici.",
      "Il raffreddore comune si cura con gli antibiotici.",
    ],
    [
      "La pressione media è scesa di 2,5 mmHg dopo la terapia.",
      "La pressione media non è scesa di 2,5 mmHg dopo la terapia.",
      "La pressione media è scesa di 25 mmHg dopo la terapia.",
    ],
    [
      "Nessun paziente del gruppo di controllo ha avuto un'emorragia.",
      "Un paziente del gruppo di controllo ha avuto un'emorragia.",
    ],
    [
      "Il farmaco non è mai somministrato ai bambini sotto i 12 anni.",
      "Il farmaco è somministrato ai bambini sotto i 12 anni.",
      "Il farmaco non è mai somministrato ai bambini sotto i 16 anni.",
    ],
    [
      "Il farmaco aumenta il rischio di emorragia dello stomaco.",
      "Il farmaco non aumenta il rischio di emorragia dello stomaco.",
      "Il farmaco riduce il rischio di emorragia dello stomaco.",
    ],
  ],
  pt: [
    [
      "O paracetamol não deve ser tomado em caso de insuficiência hepática grave.",
      "O paracetamol deve ser tomado em caso de insuficiência hepática grave.",
    ],
    [
      "Os adultos tomam no máximo 4 g de paracetamol por dia.",
      "Os adultos não tomam no máximo 4 g de paracetamol por dia.",
      "Os adultos tomam no mínimo 4 g de paracetamol por dia.",
    ],
    [
      "O tratamento com penicilina dura pelo menos 10 dias.",
      "O tratamento com penicilina não dura pelo menos 10 dias.",
      "O tratamento com penicilina dura pelo menos 10 semanas.",
    ],
    [
      "A constipação comum trata-se sem antibióticos.",
      "A constipação comum trata-se com antibióticos.",
    ],
    [
      "A pressão arterial média caiu 2,5 mmHg depois da terapia.",
      "A pressão arterial média não caiu 2,5 mmHg depois da terapia.",
      "A pressão arterial média caiu 25 mmHg depois da terapia.",
    ],
    [
      "Nenhum doente do grupo de controlo teve uma hemorragia.",
      "Um doente do grupo de controlo teve uma hemorragia.",
    ],
    [
      "O medicamento nunca é dado a crianças menores de 12 anos.",
      "O medicamento é dado a crianças menores de 12 anos.",
      "O medicamento nunca é dado a crianças menores de 16 anos.",
    ],
    [
      "O medicamento aumenta o risco de hemorragia no estômago.",
      "O medicamento não aumenta o risco de hemorragia no estômago.",
      "O medicamento reduz o risco de hemorragia no estômago.",
    ],
  ],
  nl: [
    [
      "Paracetamol mag bij ernstige leverinsufficiëntie niet worden gebruikt.",
      "Paracetamol mag bij ernstige leverinsufficiëntie worden gebruikt.",
    ],
    [
      "Volwassenen nemen hoogstens 4 g paracetamol per dag in.",
      "Volwassenen nemen niet hoogstens 4 g paracetamol per dag in.",
      "Volwassenen nemen minstens 4 g paracetamol per dag in.",
    ],
    [
      "De behandeling met penicilline duurt ten minste 10 dagen.",
      "De behandeling met penicilline duurt niet ten minste 10 dagen.",
      "De behandeling met penicilline duurt ten minste 10 weken.",
    ],
    [
      "Een verkoudheid wordt zonder antibiotica behandeld.",
      "Een verkoudheid wordt met antibiotica behandeld.",
    ],
    [
      "De gemiddelde bloeddruk daalde met 2,5 mmHg na de therapie.",
      "De gemiddelde bloeddruk daalde niet met 2,5 mmHg na de therapie.",
      "De gemiddelde bloeddruk daalde met 25 mmHg na de therapie.",
    ],
    [
      "Het middel wordt nooit gegeven aan kinderen jonger dan 12 jaar.",
      "Het middel wordt gegeven aan kinderen jonger dan 12 jaar.",
      "Het middel wordt nooit gegeven aan kinderen jonger dan 16 jaar.",
    ],
    [
      "In het onderzoek met 1.200 patiënten waren er geen ernstige bijwerkingen.",
      "In het onderzoek met 1.200 patiënten waren er ernstige bijwerkingen.",
      "In het onderzoek met 1.500 patiënten waren er geen ernstige bijwerkingen.",
    ],
    [
      "Het geneesmiddel verhoogt het risico op bloedingen in de maag.",
      "Het geneesmiddel verhoogt het risico op bloedingen in de maag niet.",
      "Het geneesmiddel verlaagt het risico op bloedingen in de maag.",
    ],
  ],
};

describe.each(Object.entries(SENTENCES))("in %s", (_, rows) => {
  const passage = rows.map(([sentence]) => sentence).join(" ");

  const cases = rows.map(([sentence, ...others]) => ({ sentence, others }));

  test.each(cases)("supports, and not negated or changed: $sentence", ({ sentence, others }) => {
    expect(judge(sentence, passage)).toMatchObject({ verdict: "supported", reason: null });
    expect(judge(sentence, sentence)).toMatchObject({ verdict: "supported", reason: null });
    for (const claim of others.filter((other) => other !== undefined)) {
      expect({ claim, verdict: judge(claim, passage).verdict }).not.toEqual({
        claim,
        verdict: "supported",
      });
    }
  });

  test("supports no sentence with another subject", () => {
    const claims = rows.map(([sentence]) =>
      sentence.replace(/paracetamol[o]?|paracétamol|penicil+in[ae]?|pénicilline/iu, "ibuprofen"),
    );
    for (const claim of claims.filter((one) => one.includes("ibuprofen"))) {
      expect(judge(claim, passage).verdict).not.toBe("supported");
    }
  });
});

const OTHERS = [
  "アスピリンは出血のリスクを高めるため、手術の前に中止します。",
  "阿司匹林会增加出血的风险，因此手术前应停药。",
  "الأسبرين يزيد من خطر النزيف ولذلك يوقف قبل الجراحة.",
  "Аспирин повышает риск кровотечения, поэтому его отменяют перед операцией.",
  "Aspiryna zwiększa ryzyko krwawienia, dlatego odstawia się ją przed operacją.",
  "Aspirin kanama riskini artırır, bu nedenle ameliyattan önce kesilir.",
];

test.each(OTHERS)("doesn't judge %s", (claim) => {
  const unjudged = { verdict: "unjudged", reason: "language", score: 0, quote: null };
  expect(judge(claim, claim)).toMatchObject(unjudged);
  expect(
    judge(claim, "Aspirin raises the risk of bleeding, so it is stopped before surgery."),
  ).toMatchObject(unjudged);
});

test("doesn't judge a claim against a passage in another language", () => {
  const german = SENTENCES.de?.[7]?.[0] ?? "";
  const english =
    "The medicine raises the risk of bleeding in the stomach, and it is not for children.";
  expect(judge(german, english)).toMatchObject({ verdict: "unjudged", reason: "language" });
  expect(judge(english, german)).toMatchObject({ verdict: "unjudged", reason: "language" });
});
