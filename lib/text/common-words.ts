import { dictionary } from "@zxcvbn-ts/language-en";
import { processSingleton } from "@/lib/singleton";

/** Common English words and names. Built with the module, because it takes too long for a request. */
const commonWords = processSingleton(
  "common words",
  () => new Set(Object.values(dictionary).flat()),
);

/** Whether a word is English or a name, and so not a misspelling, even if no passage has it. */
export function isCommonWord(word: string): boolean {
  return commonWords.has(word);
}
