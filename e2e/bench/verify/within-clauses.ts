import type { Makers } from "./within";

// Numbers that a sentence gives for two things, each in a claim about one of them.

const NUMBER = "\\d+(?:,\\d{3})*(?:\\.\\d+)?";
const UNIT =
  "(?:mg\\/kg|mg\\/day|mg\\/dL|mmol\\/L|mm ?Hg|mcg|µg|mg|mL|ml|kg|g|IU|percent|%|years|months|weeks|days|hours|minutes)";
const JOINED =
  "(?: \\([^()]{1,40}\\))?(?:,? and|,? but|,? while|,? whereas|,? or|,? versus|,? vs\\.?|,? compared (?:with|to)|;)";
const THING = "((?:the |those )?(?:[\\p{L}\\d'-]+ ){0,5}[\\p{L}\\d'-]+)";

/** "… 12% in the treated group and 20% in the control group". */
const FOLLOWED = new RegExp(
  `^([^;]{8,220} )(${NUMBER} ?${UNIT}) (in|for|of|with|among|after|at|by|on) ${THING}${JOINED} (?:about |only |in )?(${NUMBER} ?${UNIT}) \\3 ${THING}(?: \\([^()]{1,60}\\))?(?=[.,;)]|$)`,
  "u",
);
/** "… 12% and 20% in the treated and control groups, respectively". */
const PAIRED = new RegExp(
  `^([^;]{8,220} )(${NUMBER})( ?${UNIT})?,? and (${NUMBER})( ?${UNIT}) (in|for|of|with|among|after|at) ((?:the )?)([\\p{L}\\d'-]+) and ([\\p{L}\\d'-]+)((?: [\\p{L}]+)?),? respectively`,
  "u",
);

interface Pair {
  /** A claim with one of the two numbers and one of the two things. */
  say: (number: 0 | 1, thing: 0 | 1) => string;
}

function pairIn(sentence: string): Pair | null {
  const [, before = "", one, preposition, first, other, second] = FOLLOWED.exec(sentence) ?? [];
  if (one && other && first !== second) {
    return {
      say: (number, thing) =>
        `${before}${[one, other][number]} ${preposition} ${[first, second][thing]}.`,
    };
  }
  const [, start = "", a, aUnit, b, unit, joint, article, x, y, rest] = PAIRED.exec(sentence) ?? [];
  return a && b && x !== y
    ? {
        say: (number, thing) =>
          `${start}${[a, b][number]}${aUnit ?? unit} ${joint} ${article}${[x, y][thing]}${rest}.`,
      }
    : null;
}

/** Equal numbers, and lists of more, belong to both. */
function claimsOf(sentence: string, areRight: boolean): string[] {
  const pair = pairIn(sentence);
  if (!pair || pair.say(0, 0) === pair.say(1, 0)) {
    return [];
  }
  return areRight ? [pair.say(0, 0), pair.say(1, 1)] : [pair.say(0, 1), pair.say(1, 0)];
}

export const CLAUSE_MAKERS: Makers = {
  false: { "the other thing's number": (sentence) => claimsOf(sentence, false) },
  true: { "one of two numbers": (sentence) => claimsOf(sentence, true) },
};
