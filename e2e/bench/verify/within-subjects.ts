import lists from "./subjects.json" with { type: "json" };
import type { Makers, Near } from "./within";

// A statement of a passage made about another subject of the same passage, and ways to name its own subject.

const VERB =
  "is|are|was|were|has|have|had|can|could|may|might|must|should|will|cannot|does|do|did|causes?|affects?|occurs?|helps?|includes?|increases?|reduces?|produces?|contains?|begins?|develops?|results?|leads?|makes?|plays?|requires?|showed|shows?|induces?|inhibits?|regulates?|encodes?|provides?";
const OPENING = new RegExp(`^((?:[\\p{L}\\d'-]+ ){1,6}?)(${VERB}) (.+)$`, "u");
/** What opens with one of these names its subject later, or not at all. */
const NO_SUBJECT =
  /^(?:after|although|as|at|because|before|both|but|by|during|each|finally|for|from|he|how|however|if|in|it|its|on|one|she|among|currently|have|has|ask|certain|data|studies|research|recent studies|the (?:aim|purpose|objective)s?|since|some|sometimes|such|that|the following|their|then|there|therefore|these|they|this|those|thus|to|treatment|until|we|what|when|where|which|while|who|why|with|without|you|your|our|here|other|others|another|most|many|all|any|only|also|and|or|not|people|patients|results?|objectives?|conclusions?|background|methods?|design|findings)\b/i;

interface Opening {
  subject: string;
  verb: string;
  rest: string;
}

function openingOf(sentence: string): Opening | null {
  const [, subject = "", verb = "", rest = ""] = OPENING.exec(sentence) ?? [];
  const isNamed =
    subject !== "" && !NO_SUBJECT.test(subject) && !/ (?:that|who|which) /.test(subject);
  return isNamed ? { subject: subject.trim(), verb, rest } : null;
}

/** "The condition" and "affected people" may well have another name. */
const POINTS_BACK =
  /\b(?:affected|condition|disorder|disease|procedure|tests?|results?|symptoms|features|patient|person|individuals|participants)\b/i;

function isClear({ subject }: Opening): boolean {
  return !POINTS_BACK.test(subject);
}

/** The words of four letters and more, cut to five to ignore their endings. */
function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\d]{4,}/gu) ?? []).map((word) => word.slice(0, 5));
}

function sharesWord(one: string, other: string): boolean {
  const words = new Set(wordsOf(one));
  return words.size === 0 || wordsOf(other).some((word) => words.has(word));
}

/** The sentence about the subject that another sentence opens with. */
function exchangeSubject(sentence: string, { all }: Near): string[] {
  const own = openingOf(sentence);
  const others = all.flatMap((other) => openingOf(other) ?? []).filter(isClear);
  const isWhole = !/[.!?] \p{Lu}/u.test(sentence);
  const found =
    own &&
    isClear(own) &&
    isWhole &&
    others.find(({ subject }) => !sharesWord(subject, sentence) && wordsOf(subject).length > 0);
  return own && found ? [`${found.subject} ${own.verb} ${own.rest}`] : [];
}

/** "It is taken …" with a subject that neither the sentence before nor the title names. */
function subjectForPronoun(sentence: string, { all, title }: Near): string[] {
  const [, rest = ""] =
    /^It (?=(?:is|was|has|can|may|causes|affects|occurs) )(.+)$/.exec(sentence) ?? [];
  const before = all[all.indexOf(sentence) - 1] ?? "";
  const others = all.flatMap((other) => openingOf(other) ?? []).filter(isClear);
  const found = others.find(
    ({ subject }) => !sharesWord(subject, `${before} ${title} ${sentence}`),
  );
  return rest && found && openingOf(before) ? [`${found.subject} ${rest}`] : [];
}

/** Whether "acetaminophen (paracetamol)" is said: with the other name, the sentence stays true. */
function areOneName(one: string, other: string, text: string): boolean {
  const said = text.toLowerCase();
  return said.includes(`${one} (${other})`) || said.includes(`${other} (${one})`);
}

/** The sentence with another name of a list that the passage has, but not the sentence. */
function exchangeName(list: string): (sentence: string, near: Near) => string[] {
  const names = list.split(", ");
  const form = new RegExp(`(?<![\\p{L}\\p{N}-])(?:${names.join("|")})(?![\\p{L}\\p{N}-])`, "giu");
  const namesIn = (text: string) => [
    ...new Set((text.match(form) ?? []).map((name) => name.toLowerCase())),
  ];
  return (sentence, { all, title }) => {
    const [own, ...more] = namesIn(sentence);
    const text = `${title} ${all.join(" ")}`;
    const other = namesIn(all.join(" ")).find(
      (name) => own && !sharesWord(name, sentence) && !areOneName(own, name, text),
    );
    return own && other && more.length === 0
      ? [capitalized(sentence.replace(new RegExp(own, "giu"), other))]
      : [];
  };
}

/** "What is (are) gout ?" is about gout. */
function subjectOfTitle(title: string): string {
  const [, subject = title] =
    /^(?:What (?:is|are|causes|to do for)|How (?:to \w+|many people are affected by)|Who is at risk for|Is|Do you have information about)(?: \(are\))?(?: the (?:\w+ )*(?:of|for|to))? (.+?)(?: inherited)? ?\?$/.exec(
      title,
    ) ?? [];
  return /^[^?:;,.]{4,50}$/.test(subject) ? subject.replace(/ \(.*\)$/, "") : "";
}

const POINTING =
  /^(?:It|They|(?:This|The) (?:condition|disease|disorder|drug|medicine|medication|syndrome|test)) (?=\p{Ll})/u;

/** "It is taken …" after a sentence that opens with the title's subject, with that subject. */
function nameForPronoun(sentence: string, { all, title }: Near): string[] {
  const before = all[all.indexOf(sentence) - 1] ?? "";
  const subject = subjectOfTitle(title);
  return subject &&
    POINTING.test(sentence) &&
    before.toLowerCase().startsWith(subject.toLowerCase())
    ? [sentence.replace(POINTING, `${capitalized(subject)} `)]
    : [];
}

/** The other way. */
function pronounForName(sentence: string, { title }: Near): string[] {
  const subject = subjectOfTitle(title);
  const own = openingOf(sentence);
  return own && own.subject.toLowerCase() === subject.toLowerCase()
    ? [
        `${/^(?:are|were|have|do|[a-z]+[^s])$/.test(own.verb) ? "They" : "It"} ${own.verb} ${own.rest}`,
      ]
    : [];
}

/** "A and B are …" as "B are …". */
function oneOfList(sentence: string): string[] {
  const own = openingOf(sentence);
  const [, second] = /^(?:\S+ ){1,2}and ((?:\S+ ?){1,2})$/.exec(own?.subject ?? "") ?? [];
  return own && second ? [`${capitalized(second)} ${own.verb} ${own.rest}`] : [];
}

/** "Cystic fibrosis (CF)" elsewhere in the passage: each for the other. */
function otherForm(sentence: string, { all }: Near): string[] {
  const defined = [...all.join(" ").matchAll(/((?:[\p{L}-]+ ){1,5})\((\p{Lu}{2,6})\)/gu)];
  return defined.flatMap(([, before = "", short = ""]) => {
    const long = before.trim().split(" ").slice(-short.length);
    const isShort =
      long
        .map((word) => word.charAt(0))
        .join("")
        .toUpperCase() === short;
    const [name, at] = [long.join(" "), new RegExp(`\\b${short}\\b`)];
    if (!isShort || sentence.includes("(")) {
      return [];
    }
    return at.test(sentence)
      ? [capitalized(sentence.replaceAll(new RegExp(at, "g"), name))]
      : sentence.includes(name)
        ? [sentence.replaceAll(name, short)]
        : [];
  });
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export const SUBJECT_MAKERS: Makers = {
  false: {
    "another subject of the passage": exchangeSubject,
    "another subject for a pronoun": subjectForPronoun,
    "another drug of the passage": exchangeName(lists.drug),
    "another disease of the passage": exchangeName(lists.disease),
  },
  true: {
    "name for pronoun": nameForPronoun,
    "pronoun for name": pronounForName,
    "one of a list": oneOfList,
    "long or short form": otherForm,
  },
};
