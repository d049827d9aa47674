const WORD = /[\p{L}\p{N}]+/gu;
/** Shorter words are mostly "the" and "of". */
const MIN_LETTERS = 4;
/** Endings of inflected forms, as in "opening" and "opens". */
const MAX_ENDING = 3;

/** A rough stem, the same for most forms of a word. Numbers stay as they are. */
function roughStem(word: string): string {
  return /\d/.test(word) ? word : word.slice(0, Math.max(MIN_LETTERS, word.length - MAX_ENDING));
}

/** Splits a text into the words it shares with a query, in any form, and the parts between them. */
export function matchedWords(text: string, query: string): { text: string; isMatch: boolean }[] {
  const stems = (query.toLowerCase().match(WORD) ?? []).flatMap((word) =>
    word.length >= MIN_LETTERS || /\d/.test(word) ? roughStem(word) : [],
  );
  const isMatch = (word: string) => stems.includes(roughStem(word.toLowerCase()));
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
