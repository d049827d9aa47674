import { OWN_SENTENCES } from "./prompt";

const ECHO = new RegExp(
  OWN_SENTENCES.map((each) => each.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"),
);
const LONGEST = Math.max(...OWN_SENTENCES.map(({ length }) => length));

/** Leaves out the sentences of our prompt that a model repeats. Holds back what may become one. */
export class EchoFilter {
  #held = "";

  push(piece: string): string {
    let rest = this.#held + piece;
    let output = "";
    for (let found = ECHO.exec(rest); found; found = ECHO.exec(rest)) {
      output += rest.slice(0, found.index);
      rest = rest.slice(found.index + found[0].length);
    }
    const at = beginningIn(rest);
    this.#held = rest.slice(at);
    return output + rest.slice(0, at);
  }

  end(): string {
    const held = this.#held;
    this.#held = "";
    return held;
  }
}

/** Where a sentence of ours may begin that the text doesn't end yet. */
function beginningIn(text: string): number {
  for (let at = Math.max(0, text.length - LONGEST); at < text.length; at += 1) {
    const rest = text.slice(at);
    if (OWN_SENTENCES.some((each) => each.startsWith(rest))) {
      return at;
    }
  }
  return text.length;
}
