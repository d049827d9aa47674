/** An open fenced code block. Only its closing line matters. */
export class Fence {
  #line: "blank" | "run" | "closing" | "text" = "text";
  #run = 0;

  constructor(
    private readonly mark: string,
    private readonly size: number,
  ) {}

  /** The offset after the closing line, or null if the block continues. */
  read(text: string, start: number): number | null {
    for (let at = start; at < text.length; at += 1) {
      if (this.#line === "text") {
        const newline = text.indexOf("\n", at);
        if (newline < 0) {
          return null;
        }
        at = newline;
      }
      if (this.#closes(text.charAt(at))) {
        return at;
      }
    }
    return null;
  }

  #closes(character: string): boolean {
    if (character === "\n") {
      const isClosing = this.#line !== "text" && this.#run >= this.size;
      this.#line = "blank";
      this.#run = 0;
      return isClosing;
    }
    const isSpace = /[ \t\r]/.test(character);
    if (character === this.mark && (this.#line === "blank" || this.#line === "run")) {
      this.#line = "run";
      this.#run += 1;
    } else if (this.#line === "run" && isSpace) {
      this.#line = "closing";
    } else if (!isSpace && !(this.#line === "blank" && character === ">")) {
      this.#line = "text";
    }
    return false;
  }
}
