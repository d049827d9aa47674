import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary as common } from "@zxcvbn-ts/language-common";
import { dictionary as english } from "@zxcvbn-ts/language-en";
import { processSingleton } from "@/lib/singleton";

/** Out of 4: at least 10^10 guesses, so that cracking a stolen hash isn't worthwhile. */
export const MIN_PASSWORD_SCORE = 3;

/** Extra length can't lower the score, and the work grows faster than the length. */
const MAX_LENGTH = 40;
/** With the default of 100, a crafted password takes a second to score. */
const MAX_SUBSTITUTIONS = 5;

/** How hard a password is to guess, from 0 to 4. `known`: facts about its owner, which make it easier. */
export function passwordScore(password: string, known: readonly string[]): number {
  const words = known.flatMap((text) => [text, ...text.split(/[\s@.]+/)]).filter(Boolean);
  return loadPasswordScore().check(password.slice(0, MAX_LENGTH), ["footnote", ...words]).score;
}

/** Takes some tenths of a second the first time. */
export function loadPasswordScore(): ZxcvbnFactory {
  return processSingleton(
    "password strength",
    () =>
      new ZxcvbnFactory({
        dictionary: { ...common, ...english },
        graphs: adjacencyGraphs,
        l33tMaxSubstitutions: MAX_SUBSTITUTIONS,
      }),
  );
}
