import { isLatin, type Language, type LatinLanguage } from "@/lib/text/languages";
import { languageOfQuestion } from "./gloss";
import { type Question, readQuestion } from "./question";

/** The search may still refuse a longer text, which would take long to read. */
const MAX_PREPARED_CHARACTERS = 2000;

/** A question, read at most once in each language, on first use. */
export class AskedQuestion {
  #language: Language | null | undefined;
  readonly #read = new Map<LatinLanguage, Question>();

  constructor(readonly text: string) {}

  /** Null if it is too short to tell. */
  get language(): Language | null {
    if (this.#language === undefined) {
      this.#language = languageOfQuestion(this.text);
    }
    return this.#language;
  }

  readIn(language: LatinLanguage): Question {
    let read = this.#read.get(language);
    if (!read) {
      read = readQuestion(this.text, language);
      this.#read.set(language, read);
    }
    return read;
  }

  /** Reads it in its own language, so that a later use need not. Does nothing for a very long text. Never throws. */
  prepare(): void {
    if (this.text.length > MAX_PREPARED_CHARACTERS) {
      return;
    }
    try {
      const language = this.language ?? "en";
      if (isLatin(language)) {
        this.readIn(language);
      }
    } catch {
      // Its use will throw the same, where a request can fail with it.
    }
  }
}
