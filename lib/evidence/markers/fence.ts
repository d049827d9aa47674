/** An open fenced code block. Only its closing line matters. */
export class Fence {
  /** The current line so far; at first the rest of the opening line, which closes nothing. */
  #line = "opening";
  readonly #closing: RegExp;

  constructor(mark: string, size: number) {
    this.#closing = new RegExp(`^[ \\t\\r>]*${mark}{${size},}[ \\t\\r]*$`);
  }

  /** The offset after the closing line, or null if the block continues. */
  read(text: string, start: number): number | null {
    let from = start;
    for (let end = text.indexOf("\n", from); end >= 0; end = text.indexOf("\n", from)) {
      if (this.#closing.test(this.#line + text.slice(from, end))) {
        return end;
      }
      this.#line = "";
      from = end + 1;
    }
    this.#line += text.slice(from);
    return null;
  }
}
