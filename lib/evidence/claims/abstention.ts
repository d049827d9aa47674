// Sentences that say that the sources don't answer, in the languages of the rules. They claim nothing.

/** What an answer calls its sources, so that "plant sources do not provide vitamin B12" stays a claim. */
const SOURCES = {
  en: "(?:the|these|those|your|my|any of the|none of the) (?:(?:(?:provided|given|available|found|cited|listed|numbered|retrieved|supplied|attached|search|source) )*(?:sources?|passages?|documents?|context|texts?|articles?|excerpts?|results)|(?:provided|given|available|found|retrieved|supplied) (?:information|material))(?: (?:found|provided|given|above|available|i have|you provided))?",
  de: "(?:die|der|das|diese[nrs]?|den|dem) (?:(?:gefundenen|vorliegenden|angegebenen|bereitgestellten|genannten) )*(?:quellen?|dokumente?n?|passagen?|texte?n?|textstellen|auszüge)",
  fr: "(?:les|ces|le|la|vos) (?:sources?|documents?|passages?|textes?|extraits?)(?: (?:fournie?s|trouvée?s|donnée?s))?",
  es: "(?:las?|los?|el|estas|estos) (?:fuentes?|documentos?|pasajes?|textos?)(?: (?:proporcionad[ao]s|encontrad[ao]s|dad[ao]s))?",
  it: "(?:le|la|il|i|queste|questi) (?:fonti?e?|documenti?o?|passaggi|testi)(?: (?:fornit[ei]|trovat[ei]))?",
  pt: "(?:as?|os?|estas|estes) (?:fontes?|documentos?|passagens|textos?)(?: (?:fornecid[ao]s|encontrad[ao]s))?",
  nl: "(?:de|het|deze|dit) (?:(?:gevonden|gegeven|genoemde) )*(?:bron|bronnen|documenten?|passages?|teksten?)",
};

const NOT = "(?:do|does|did|can|could)(?:n(?:’|')t| not|not)";
const FOUND =
  "(?:mentioned|provided|specified|stated|addressed|answered|covered|available|included|found|given|discussed)";

const ABSTENTIONS = [
  `${SOURCES.en} ${NOT} (?:\\w+ ){0,3}?(?:answer|contain|provide|mention|include|address|specify|state|cover|discuss|give|say|tell|offer|explain|describe)`,
  `${SOURCES.en} (?:has|have|contains?|provides?|gives?|includes?) (?:no|not enough|insufficient) `,
  `(?:not|n’t|n't) (?:\\w+ ){0,2}?${FOUND} (?:in|by) ${SOURCES.en}`,
  `^\\W*(?:there (?:is|was) )?(?:no|not enough|insufficient) (?:\\S+ ){1,10}?(?:in|by) ${SOURCES.en}`,
  `^\\W*(?:(?:i(?:’|')m sorry|sorry|unfortunately),? (?:but )?)?i (?:do not|don(?:’|')t|cannot|can(?:’|')t|could not|couldn(?:’|')t) (?:know|find|answer|determine|tell)\\b`,
  `${SOURCES.de} (?:beantwort|enth[aä]lt|nenn|erwähn|geb|gib|liefer|mach|sag|biet|beschreib|gehen|geht)\\S* (?:\\S+ ){0,6}?(?:nicht|keine[nrs]?)\\b`,
  `^\\W*(?:aus|in) ${SOURCES.de} (?:steh|find|geh|gib|geb|wird|werd|ist|sind|lässt|lassen)\\S* (?:\\S+ ){0,8}?(?:nicht|nichts|keine[nrs]?)\\b`,
  "^\\W*(?:das weiß ich nicht|ich weiß (?:es |das )?nicht)",
  `${SOURCES.fr} n(?:e |’|')(?:répond|conti|mentionn|indiqu|fourni|précis|donn|permett)\\S* (?:pas|aucune?)(?!\\p{L})`,
  "^\\W*je ne sais pas",
  `(?<!\\p{L})${SOURCES.es} no (?:respond|contien|mencion|indica|proporcion|dice)`,
  `(?<!\\p{L})${SOURCES.it} non (?:rispond|conteng|contien|menzion|indica|fornisc|dic)`,
  `(?<!\\p{L})${SOURCES.pt} não (?:respond|cont[éê]m|mencion|indica|fornec|diz)`,
  "^\\W*(?:no lo sé|non lo so|não sei)(?!\\p{L})",
  `${SOURCES.nl} (?:beantwoord|bevat|noem|vermeld|geef|geven|zegg|zegt|gaan|gaat)\\S* (?:\\S+ ){0,6}?(?:niet|niets|geen)\\b`,
  "^\\W*(?:dat weet ik niet|ik weet (?:het )?niet)",
].map((said) => new RegExp(/^[\^(]/.test(said) ? said : `\\b${said}`, "iu"));

/** Longer than such a sentence; bounds the work. */
const MAX_LENGTH = 300;

/** Whether a sentence of an answer says that its sources don't answer the question. */
export function abstains(sentence: string): boolean {
  return sentence.length <= MAX_LENGTH && ABSTENTIONS.some((said) => said.test(sentence));
}
