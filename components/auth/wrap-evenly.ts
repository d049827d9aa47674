/**
 * Breaks a text into lines that are as short as possible, never between a number and its unit. Each break replaces a space,
 * so that places in the text stay the same.
 */
export function wrapEvenly(text: string, lines: number): string {
  const words = text.split(/(?<!\d) | (?!\p{L})/u);
  for (let width = Math.ceil(text.length / lines); width < text.length; width += 1) {
    const wrapped = wrapWords(words, width);
    if (wrapped.length <= lines) {
      return wrapped.join("\n");
    }
  }
  return text;
}

function wrapWords(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(word);
    }
  }
  return lines;
}
