import { describe, expect, it } from "vitest";
import { refersBack } from "./refers-back";

const EARLIER: Record<string, string> = {
  de: "Was ist Metformin und wofür wird es verwendet?",
  es: "¿Qué es la metformina y para qué se utiliza?",
  fr: "Qu'est-ce que la metformine et à quoi sert-elle ?",
  it: "Che cos'è la metformina e a che cosa serve?",
  pt: "O que é a metformina e para que serve?",
  nl: "Wat is metformine en waarvoor wordt het gebruikt?",
  en: "What is metformin and what is it used for?",
};

const FOLLOW_UPS: Record<string, string[]> = {
  de: [
    "Darf man es in der Schwangerschaft nehmen?",
    "Wie oft soll ich sie einnehmen?",
    "Und bei Kindern?",
    "Wie gefährlich ist das?",
    "Was hilft dagegen?",
    "Kann man davon abhängig werden?",
    "Wie lange wirkt er?",
    "Was sind seine Nebenwirkungen?",
    "Ist das ansteckend?",
    "Und Ibuprofen?",
    "Wie behandelt man die?",
    "Wie lange nimmt man den?",
  ],
  es: [
    "¿Se puede tomar durante el embarazo?",
    "¿Cuáles son sus efectos secundarios?",
    "¿Puedo tomarlo con alcohol?",
    "¿Y en los niños?",
    "¿Cuántas veces lo puedo tomar?",
    "¿Y los efectos secundarios?",
    "¿Para qué es este medicamento?",
    "¿Cuándo me lo recetan?",
    "¿Se la puede dar a niños?",
    "¿Cuánto tiempo lo voy a tomar?",
  ],
  fr: [
    "Peut-on le prendre pendant la grossesse ?",
    "Quels sont ses effets secondaires ?",
    "Et chez l'enfant ?",
    "Faut-il l'arrêter avant une opération ?",
    "Combien de temps dure-t-il ?",
    "Est-ce que je peux en prendre avec de l'alcool ?",
    "Comment la traite-t-on ?",
    "Faut-il les arrêter ?",
    "Combien de temps le prend-on ?",
    "Pourquoi ne la prescrit-on pas aux enfants ?",
    "Quand les donne-t-on ?",
    "Comment l'utilise-t-on ?",
    "Comment on la soigne ?",
    "Est-ce que je la prends le matin ?",
    "Est-il possible de le prendre avec de l'alcool ?",
    "Quand commencer à les prendre ?",
    "À partir de quel âge la donne-t-on ?",
    "Comment les prenez-vous ?",
    "Peut-on me la prescrire ?",
    "Expliquez-le plus simplement.",
    "Comment la traiter chez l'enfant ?",
    "Pourquoi les arrêter ?",
    "Est-il dangereux de les associer ?",
    "Que faire si on l'oublie ?",
  ],
  it: [
    "Si può prendere in gravidanza?",
    "Quali sono i suoi effetti collaterali?",
    "Posso prenderlo con l'alcol?",
    "E nei bambini?",
    "Come la si cura?",
    "Quando li prendo?",
    "Quando me lo prescrivono?",
  ],
  pt: [
    "Pode ser tomado durante a gravidez?",
    "Quais são os seus efeitos colaterais?",
    "Posso tomar durante a gravidez?",
    "E nas crianças?",
    "Devo tomá-lo com comida?",
    "Quando tomo-o?",
  ],
  nl: [
    "Mag ik het gebruiken tijdens de zwangerschap?",
    "En bij kinderen?",
    "Welke bijwerkingen heeft het?",
    "Hoe vaak moet ik ze innemen?",
    "Wat kan ik ertegen doen?",
  ],
};

const STANDALONE: Record<string, string[]> = {
  de: [
    "Was ist Asthma und wie wird es behandelt?",
    "Gibt es Nebenwirkungen von Ramipril in der Schwangerschaft?",
    "Ist es gefährlich, Ibuprofen mit Alkohol zu nehmen?",
    "Können Sie mir sagen, wie Ramipril wirkt?",
    "Wie wird eine Lungenentzündung bei Kindern behandelt?",
    "Wie behandelt man die Grippe?",
    "wie behandelt man die grippe?",
    "Wie lange dauert es, bis eine Grippe abklingt?",
    "Und wie wirkt Ramipril bei hohem Blutdruck?",
  ],
  es: [
    "¿Qué es el asma y cómo se trata en los niños?",
    "¿El ramipril se puede tomar durante el embarazo?",
    "¿Cuáles son los efectos secundarios del ramipril y su dosis?",
    "¿Es peligroso tomar ibuprofeno con alcohol?",
    "¿Cómo se trata la gripe?",
    "¿Qué hago si me sube la fiebre?",
    "¿Cuánto tarda la vacuna en hacer efecto?",
    "¿La sal y sus sustitutos suben la tensión?",
  ],
  fr: [
    "Qu'est-ce que l'asthme et comment le traiter ?",
    "Est-il dangereux de prendre de l'ibuprofène avec de l'alcool ?",
    "Y a-t-il des effets secondaires du ramipril ?",
    "Comment traiter la grippe chez les enfants ?",
    "Comment la grippe se soigne-t-elle ?",
    "Faut-il arrêter les antibiotiques avant une opération ?",
    "Combien de temps la grippe dure-t-elle ?",
    "Pourquoi la fièvre monte-t-elle le soir ?",
    "Pourquoi le cancer revient-il ?",
    "Comment le sucre agit-il sur le foie ?",
    "Comment l'hiver agit-il sur les bronches ?",
    "Quand les vaccins sont-ils obligatoires ?",
    "Comment l'asthme se manifeste-t-il ?",
    "Comment soigne-t-on la grippe ?",
    "Prend-on la pilule le matin ?",
    "Où prendre le rendez-vous pour un vaccin ?",
    "Comment la traite-t-on, la grippe ?",
    "Quand l'on arrête un traitement antibiotique, que se passe-t-il ?",
    "Comment le cancer du poumon se traite-t-il ?",
    "La grippe, comment la traite-t-on ?",
    "À quoi sert la vitamine D et peut-on la prendre le soir ?",
    "Quand le fer doit-il être pris ?",
    "Le sel fait-il monter la tension ?",
    "Quand l'IRM est-elle nécessaire ?",
    "Le thé diminue-t-il l'absorption des médicaments ?",
    "Pourquoi le pus a-t-il cette odeur ?",
  ],
  it: [
    "Che cos'è l'asma e come si cura nei bambini?",
    "È pericoloso prendere ibuprofene con l'alcol?",
    "Il ramipril si può prendere in gravidanza?",
    "Come si cura la febbre?",
    "Cosa fare se la febbre sale?",
    "Quando serve lo sciroppo per la tosse?",
  ],
  pt: [
    "O que é a asma e como é tratada nas crianças?",
    "É perigoso tomar ibuprofeno com álcool?",
    "Como se trata a hepatite-A?",
    "O que faço se a febre subir?",
    "O ramipril pode ser tomado durante a gravidez?",
  ],
  nl: [
    "Wat is astma en hoe wordt het behandeld?",
    "Is het gevaarlijk om ibuprofen met alcohol te nemen?",
    "Hoe wordt een longontsteking bij kinderen behandeld?",
    "Hoe werkt een MRI en is het pijnlijk?",
  ],
  en: ["Can it be taken in pregnancy?", "And in children?"],
};

const pairs = (byLanguage: Record<string, string[]>) =>
  Object.entries(byLanguage).flatMap(([language, texts]) =>
    texts.map((text) => [text, EARLIER[language] ?? ""] as const),
  );

describe("a message in another language than English", () => {
  it.each(pairs(FOLLOW_UPS))("refers back: %s", (text, earlier) => {
    expect(refersBack(text, earlier)).toBe(true);
  });

  it.each(pairs(STANDALONE))("stands alone, or is English: %s", (text, earlier) => {
    expect(refersBack(text, earlier)).toBe(false);
  });
});
