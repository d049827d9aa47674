import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary as common } from "@zxcvbn-ts/language-common";
import { dictionary as english } from "@zxcvbn-ts/language-en";
import { processSingleton } from "@/lib/singleton";

/** Of 0 to 4: at least ten thousand times a million guesses, so that a stolen hash is not worth the work. */
export const MIN_PASSWORD_SCORE = 3;

/** What is longer is no weaker; the work grows faster than the length. */
const LONGEST = 40;
/** Ways to read one password's digits and signs as letters; with the default of 100 a hostile one takes a second. */
const READINGS = 5;

/** How hard a password is to guess, from 0 to 4; easier where it repeats what is known of its owner. */
export function passwordScore(password: string, known: readonly string[]): number {
  const zxcvbn = processSingleton(
    "password strength",
    () =>
      new ZxcvbnFactory({
        dictionary: { ...common, ...english },
        graphs: adjacencyGraphs,
        l33tMaxSubstitutions: READINGS,
      }),
  );
  const words = known.flatMap((text) => [text, ...text.split(/[\s@.]+/)]).filter(Boolean);
  return zxcvbn.check(password.slice(0, LONGEST), ["footnote", ...words]).score;
}
