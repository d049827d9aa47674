import { describe, expect, test } from "vitest";
import { abstains } from "./abstention";

describe("a sentence that says that the sources don't answer", () => {
  test.each([
    "The sources do not answer the question.",
    "The provided documents don't mention the founder of the library.",
    "The sources found do not answer this question.",
    "I'm sorry, but I cannot find this in the sources.",
    "I don't know.",
    "There is no information about renal dosing in the sources.",
    "No dose for children is given in the provided documents.",
    "In den Quellen steht dazu nichts.",
    "The maximum dose is not mentioned in the provided sources.",
    "The context does not provide enough information to answer.",
    "Die Quellen beantworten die Frage nicht.",
    "Die Dokumente enthalten dazu keine Angaben.",
    "Les sources ne répondent pas à la question.",
    "Las fuentes no responden a la pregunta.",
    "Le fonti non rispondono alla domanda.",
    "As fontes não respondem à pergunta.",
    "De bronnen beantwoorden de vraag niet.",
  ])("is recognized: %s", (sentence) => {
    expect(abstains(sentence)).toBe(true);
  });

  test.each([
    "Metformin does not replace insulin.",
    "Antibiotics do not help against the common cold.",
    "Plant sources do not provide vitamin B12.",
    "The plant sources do not contain it.",
    "Pflanzliche Quellen enthalten kein Vitamin B12.",
    "Las fuentes vegetales no contienen vitamina B12.",
    "The information leaflet does not replace advice.",
    "The sources of infection are not known.",
    "Some sources of protein contain no fiber.",
    "Food sources of vitamin D include fish.",
    "There is no cure for asthma.",
    "The document says that readers may borrow four books.",
    "There is not enough information to know whether it is safe in pregnancy.",
    "We don't know exactly what causes psoriasis.",
    "The material does not contain latex.",
    "Die Quelle der Infektion ist nicht bekannt.",
    "De bron van de besmetting is niet gevonden.",
    "La source de l’infection n’est pas connue.",
    "Das Mittel enthält keine Glucose.",
    "Este medicamento no contiene lactosa.",
    "Ce médicament ne contient pas de lactose.",
    "No bags are allowed in the reading room.",
    "Patients who cannot find a vein should call for help.",
  ])("isn't taken for one: %s", (sentence) => {
    expect(abstains(sentence)).toBe(false);
  });
});
