import type { Pack } from "@/lib/pack-names";
import { readPack } from "@/lib/packs";

export interface Emergency {
  language: string;
  /** What to say first. */
  call: string;
  isCrisis: boolean;
}

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
  const { $schema: _, ...languages } = readPack(pack, "emergencies");
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
