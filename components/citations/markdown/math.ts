import type { StateBlock, StateInline } from "markdown-it";

/** Longer formulas stay text, so that each opening delimiter looks ahead a bounded distance. */
const LONGEST = 1000;
const MOST_LINES = 40;

interface Delimiter {
  open: string;
  close: string;
  isDisplay: boolean;
}

/** Longer delimiters first. */
const DELIMITERS: readonly Delimiter[] = [
  { open: "$$", close: "$$", isDisplay: true },
  { open: "\\[", close: "\\]", isDisplay: true },
  { open: "\\(", close: "\\)", isDisplay: false },
  { open: "$", close: "$", isDisplay: false },
];

/** A markdown-it rule for a formula within a line. Prices, escaped brackets and markers such as `\[1\]` stay text. */
export function inlineMath(state: StateInline, isSilent: boolean): boolean {
  const text = state.src.slice(state.pos, Math.min(state.pos + LONGEST, state.posMax));
  const delimiter = DELIMITERS.find(({ open }) => text.startsWith(open));
  const found = delimiter && cutFormula(text, delimiter);
  if (!delimiter || !found) {
    return false;
  }
  if (!isSilent) {
    const token = state.push("math", "", 0);
    token.content = found.trim();
    token.markup = delimiter.open + found + delimiter.close;
    token.info = delimiter.isDisplay ? "display" : "";
  }
  state.pos += delimiter.open.length + found.length + delimiter.close.length;
  return true;
}

/** What is between the delimiters at the start of a text; null when it isn't a formula. */
function cutFormula(text: string, { open, close }: Delimiter): string | null {
  const end = text.indexOf(close, open.length);
  const formula = text.slice(open.length, end);
  if (end < 0 || formula.includes("\n") || !isFormula(formula)) {
    return null;
  }
  // As in Pandoc: `$5 and $10` are prices.
  const isPrice = open === "$" && (/^\s|\s$/.test(formula) || /^\d/.test(text.slice(end + 1)));
  return isPrice ? null : formula;
}

/** Whether the text has the syntax of a formula: an operator besides a letter, a command, or a single letter. */
function isFormula(text: string): boolean {
  return /\\[a-z]/i.test(text) || /^\s*\p{L}['′]?\s*$/u.test(text) || isExpression(text);
}

function isExpression(text: string): boolean {
  return /\p{L}/u.test(text) && /[\^_={}<>+/|-]/.test(text);
}

/** A markdown-it rule for a display formula over one or more whole lines. An unfinished one stays text. */
// biome-ignore lint/complexity/useMaxParams: markdown-it calls it so.
export function mathBlock(
  state: StateBlock,
  startLine: number,
  endLine: number,
  isSilent: boolean,
): boolean {
  const lineAt = (line: number) =>
    state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line] ?? 0);
  const first = lineAt(startLine).trimEnd();
  const delimiter = DELIMITERS.find(({ open, isDisplay }) => isDisplay && first.startsWith(open));
  if (!delimiter) {
    return false;
  }
  const { open, close } = delimiter;
  const lines: string[] = [];
  for (let line = startLine; line < Math.min(endLine, startLine + MOST_LINES); line += 1) {
    const text = line === startLine ? first.slice(open.length) : lineAt(line).trimEnd();
    if (text.endsWith(close)) {
      lines.push(text.slice(0, -close.length));
      return addFormula(state, { formula: lines.join("\n").trim(), startLine, line, isSilent });
    }
    if (text.includes(close)) {
      return false;
    }
    lines.push(text);
  }
  return false;
}

interface Found {
  formula: string;
  startLine: number;
  line: number;
  isSilent: boolean;
}

function addFormula(state: StateBlock, { formula, startLine, line, isSilent }: Found): boolean {
  if (!isFormula(formula) || formula.length > LONGEST) {
    return false;
  }
  if (!isSilent) {
    const token = state.push("math_block", "", 0);
    token.block = true;
    token.content = formula;
    token.map = [startLine, line + 1];
    state.line = line + 1;
  }
  return true;
}
