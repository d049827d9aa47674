import * as z from "zod";
import medicalEmergencies from "@/knowledge/medical/emergencies.json" with { type: "json" };
import type { Pack } from "./pack-names";

// Vocabulary of a field of knowledge. knowledge/README.md says how to write another pack.

const Pattern = z
  .string()
  .describe("A case-insensitive regular expression, matched against text without accents.");

const LanguageEmergencies = z.object({
  person: Pattern.describe(
    "Names a person. If neither the sentence nor the next one does, no emergency is reported.",
  ),
  events: z.array(Pattern).describe("What happens to that person, within one sentence."),
  acrossSentences: z
    .array(Pattern)
    .default([])
    .describe("What happens across two sentences, no matter to whom."),
  hypothetical: Pattern.describe("A sentence that asks about emergencies and reports none."),
  call: z.string().describe("What the built-in model answers first."),
  crisis: Pattern.describe("Mentions ending one's life."),
  crisisCall: z.string().describe("What it answers instead, without anything else."),
});

/** How people report an emergency and whom they should call, by language. */
export const Emergencies = z
  .object({ $schema: z.string().optional() })
  .catchall(LanguageEmergencies);

export interface Emergency {
  language: string;
  /** What to say first. */
  call: string;
  isCrisis: boolean;
}

const EMERGENCIES: Record<Pack, unknown> = { medical: medicalEmergencies };
/** The end of a message tells what is wrong. */
const CHARACTERS = 1000;
const SENTENCE = /[^.?!\n]+[.?!]*/g;
const DECIMAL = /(?<=\d)\.(?=\d)/g;
const MARKS = /\p{M}+/gu;

const readers = new Map<Pack, (text: string) => Emergency | null>();

/** The emergency of a person that a text reports, by the vocabulary of a pack; null if it reports none. */
export function emergencyIn(text: string, pack: Pack): Emergency | null {
  const read = readers.get(pack) ?? createReader(pack);
  readers.set(pack, read);
  return read(plain(text.slice(-CHARACTERS)));
}

function createReader(pack: Pack): (text: string) => Emergency | null {
  const { $schema: _, ...languages } = Emergencies.parse(EMERGENCIES[pack]);
  const rules = Object.entries(languages).map(([language, own]) => ({
    ...{ language, call: own.call, crisisCall: own.crisisCall },
    person: toPattern(own.person),
    events: [...own.events, own.crisis].map(toPattern),
    acrossSentences: own.acrossSentences.map(toPattern),
    hypothetical: toPattern(own.hypothetical),
    crisis: toPattern(own.crisis),
  }));
  const reports = (
    { person, events, acrossSentences, hypothetical }: (typeof rules)[number],
    sentences: readonly string[],
  ) =>
    sentences.some((sentence, at) => {
      const next = sentences[at + 1] ?? "";
      const isEvent = events.some((event) => event.test(sentence)) && !hypothetical.test(sentence);
      return (
        // "Is my retina coming off? What should I do": the next sentence may tell whose emergency it is.
        (isEvent && (person.test(sentence) || person.test(next))) ||
        acrossSentences.some((event) => event.test(`${sentence} ${next}`))
      );
    });
  return (text) => {
    const sentences: readonly string[] = text.match(SENTENCE) ?? [];
    const found = rules.find((each) => reports(each, sentences));
    if (!found) {
      return null;
    }
    const isCrisis = found.crisis.test(text);
    const call = isCrisis ? found.crisisCall : found.call;
    return { language: found.language, call, isCrisis };
  };
}

/** Without accents, which people in a hurry leave out, and without decimal points, which end no sentence. */
function plain(text: string): string {
  return text.normalize("NFD").replace(MARKS, "").replaceAll("ß", "ss").replace(DECIMAL, ",");
}

function toPattern(source: string): RegExp {
  return new RegExp(source, "i");
}
