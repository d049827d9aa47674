const WORD = /[\p{L}\p{N}]+/gu;
/** Shorter words are mostly "the" and "of". */
const MIN_LETTERS = 4;
/** Endings of inflected forms, as in "opening" and "opens". */
const MAX_ENDING = 3;

/** Whether two words seem to be forms of one: they differ in short endings alone. Numbers have one form. */
function areForms(one: string, other: string): boolean {
  if (one === other || /\d/.test(one + other)) {
    return one === other;
  }
  let shared = 0;
  while (shared < one.length && one[shared] === other[shared]) {
    shared += 1;
  }
  return shared >= Math.max(MIN_LETTERS, one.length - MAX_ENDING, other.length - MAX_ENDING);
}

/** Splits a text into the words it shares with a query, in any form, and the parts between them. */
export function matchedWords(text: string, query: string): { text: string; isMatch: boolean }[] {
  const asked = (query.toLowerCase().match(WORD) ?? []).filter(
    (word) => word.length >= MIN_LETTERS || /\d/.test(word),
  );
  const isMatch = (word: string) => asked.some((one) => areForms(one, word.toLowerCase()));
  const parts: { text: string; isMatch: boolean }[] = [];
  let at = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (isMatch(word)) {
      parts.push({ text: text.slice(at, index), isMatch: false }, { text: word, isMatch: true });
      at = index + word.length;
    }
  }
  return [...parts, { text: text.slice(at), isMatch: false }].filter((part) => part.text);
}
