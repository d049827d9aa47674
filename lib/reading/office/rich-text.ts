import { appendStruck } from "@/lib/text/unasserted";

const VALUE = /^[tv]$/;
/** Elements with which text begins that isn't struck out, unless they say so. */
const START = /^(?:r|si|is|c|font)$/;

/** Whether the elements of a workbook so far, the last of which is `tag`, strike out what follows. */
export function strikes(
  before: boolean,
  tag: string,
  { val = "1" }: Record<string, string>,
): boolean {
  return tag === "strike" ? !/^(?:0|false)$/.test(val) : before && !START.test(tag);
}

/** Collects the text of a cell, or of a string that cells share, from its runs. Phonetic readings are left out. */
export class RichText {
  #text = "";
  #run = "";
  #isStruck = false;
  readonly #inside: string[] = [];

  readonly #longest: number;

  constructor(longest = Number.POSITIVE_INFINITY) {
    this.#longest = longest;
  }

  open(tag: string, attributes: Record<string, string>): void {
    this.#inside.push(tag);
    this.#isStruck = strikes(this.#isStruck, tag, attributes);
  }

  add(text: string): void {
    const isValue = VALUE.test(this.#inside.at(-1) ?? "") && !this.#inside.includes("rPh");
    if (isValue && this.#text.length + this.#run.length < this.#longest) {
      this.#run += text;
    }
  }

  close(): void {
    if (VALUE.test(this.#inside.pop() ?? "")) {
      this.#text = this.#isStruck ? appendStruck(this.#text, this.#run) : this.#text + this.#run;
      this.#run = "";
    }
  }

  /** The text since it was last taken. */
  take(): string {
    const text = this.#text;
    this.#text = "";
    return text;
  }
}
