import type { SentenceAnalysis } from "./analyze-passage";

const WORDS = new Set(
  (
    "yes no ja nein nee oui non si sí sì sim não it this that is was are were the a an and or to about around " +
    "es das ist sind und oder e è é est c ce et ou son y o sono het dat en of são"
  ).split(" "),
);

/** Whether a claim is only a yes, a no or a number, which says nothing without its question: "It is $4." */
export function isShortAnswer({ tokens, quantities }: SentenceAnalysis): boolean {
  const isOfNumber = (at: number) => quantities.some(({ first, next }) => first <= at && at < next);
  const words = tokens.filter(({ kind }, at) => kind === "word" && !isOfNumber(at));
  return (
    (quantities.length > 0 || words.length > 0) && words.every(({ lower }) => WORDS.has(lower))
  );
}
