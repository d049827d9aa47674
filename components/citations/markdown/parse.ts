import MarkdownIt, { type Token } from "markdown-it";
import type { Range } from "../places";
import { address } from "./address";
import { inlineMath, mathBlock } from "./math";

/** A Markdown node. Ranges refer to the answer's text. */
export type Node =
  | Element
  /** `depth`: 1 for the outermost heading, 2 for one below it; no depth is skipped. */
  | { kind: "heading"; depth: number; children: Node[] }
  /** Source text; `shown` differs where Markdown decodes a character, such as `&amp;`. */
  | ({ kind: "text"; shown?: string } & Range)
  | { kind: "break" }
  | { kind: "rule" }
  | { kind: "code"; text: string }
  | { kind: "code-block"; text: string; language: string }
  /** LaTeX without its delimiters; a display formula has a line of its own. */
  | { kind: "math"; text: string; isDisplay: boolean }
  | { kind: "link"; text: string; address: string };

interface Element {
  kind: "element";
  tag: string;
  children: Node[];
  first?: number;
  align?: string | undefined;
  /** Of an item in a task list. */
  isDone?: boolean;
}

/** The ranges of all text nodes, in order. */
export function textsOf(nodes: readonly Node[]): Range[] {
  return nodes.flatMap((node): Range[] => {
    if (node.kind === "text") {
      return node.shown === undefined ? [node] : [];
    }
    return "children" in node ? textsOf(node.children) : [];
  });
}

// Without text_join, escaped characters keep their source text. Without the built-in link and image
// rules, the output can't load anything.
const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false }).disable([
  "link",
  "image",
  "autolink",
  "reference",
  "html_inline",
  "html_block",
  "text_join",
]);
markdown.inline.ruler.push("address", address);
markdown.inline.ruler.before("escape", "math", inlineMath);
markdown.block.ruler.before("fence", "math_block", mathBlock, {
  alt: ["paragraph", "blockquote", "list"],
});

/** Parses an answer's Markdown to nodes with source ranges; null if a range is uncertain. */
export function parseAnswer(content: string): Node[] | null {
  // Same length, so that positions don't shift: the parser would replace two characters with one.
  const text = content.replaceAll("\r\n", " \n").replaceAll("\r", "\n").replaceAll("\0", "\uFFFD");
  try {
    return new Reader(text).read(markdown.parse(text, {}));
  } catch (thrown) {
    if (thrown instanceof Misplaced) {
      return null;
    }
    throw thrown;
  }
}

/** Syntax that Markdown may hide between two visible words: marks, list numbers, whitespace. */
const MARKS = /^[\s>|#*+\-=_~`:\\\d.)]*$/;

/** Thrown when Markdown's text can't be mapped to its source with certainty. */
class Misplaced extends Error {
  override name = "Misplaced";
}

/** The box of a task, such as `[x]`, at the start of a list item. */
const BOX = /^\[([ xX])\]\s+/;

/** The allowed elements. None of them can load a resource. */
const TAGS = /^(p|ul|ol|li|blockquote|strong|em|s|table|thead|tbody|tr|th|td)$/;

/**
 * Builds nodes from the parser's tokens and maps them to the source. Visible text must appear in order, with only
 * Markdown syntax in between; otherwise it throws Misplaced.
 */
class Reader {
  readonly #text: string;
  /** The source with spaces for line breaks, as in inline code. */
  readonly #flat: string;
  readonly #lines: number[];
  #at = 0;
  readonly #root: Node[] = [];
  readonly #open: Node[][] = [this.#root];
  /** The levels of the enclosing headings. */
  #levels: number[] = [];
  /** The list item that has just begun. */
  #item: Element | null = null;

  constructor(text: string) {
    this.#text = text;
    this.#flat = text.replaceAll("\n", " ");
    this.#lines = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  }

  read(tokens: readonly Token[]): Node[] {
    for (const token of tokens) {
      this.#block(token);
    }
    if (!MARKS.test(this.#text.slice(this.#at))) {
      throw new Misplaced("the end of the answer is missing");
    }
    return this.#root;
  }

  /** Advances to this text. */
  #take(words: string, isFlat = false): Range {
    const start = (isFlat ? this.#flat : this.#text).indexOf(words, this.#at);
    if (start < 0 || !MARKS.test(this.#text.slice(this.#at, start))) {
      throw new Misplaced("the words of the answer are not where they should be");
    }
    this.#at = start + words.length;
    return { start, end: this.#at };
  }

  /** Advances to the start of a line, counted from 0. */
  #goToLine(line: number): void {
    this.#at = Math.max(this.#at, this.#lines[line] ?? this.#text.length);
  }

  #block(token: Token): void {
    if (token.map && token.nesting >= 0) {
      this.#goToLine(token.map[0]);
    }
    if (token.type === "inline") {
      this.#inlines(token.children ?? []);
    } else if (token.nesting === 1) {
      this.#openBlock(token);
    } else if (token.nesting === -1) {
      this.#close(token);
    } else {
      this.#leaf(token);
    }
  }

  #inlines(tokens: readonly Token[]): void {
    const [first] = tokens;
    const box = first?.type === "text" ? BOX.exec(first.content) : null;
    if (this.#item && first && box) {
      this.#take(box[0].trimEnd());
      this.#item.isDone = box[1] !== " ";
      first.content = first.content.slice(box[0].length);
    }
    this.#item = null;
    for (const token of tokens) {
      this.#inline(token);
    }
  }

  #openBlock(token: Token): void {
    if (token.type === "list_item_open") {
      this.#take(`${token.info}${token.markup}`);
    }
    if (token.type === "heading_open") {
      this.#openHeading(token);
      return;
    }
    // Tight list items have no paragraph element.
    if (!token.hidden) {
      this.#openElement(token);
    }
  }

  #openHeading({ tag, markup }: Token): void {
    const level = Number(tag.slice(1));
    if (markup.startsWith("#")) {
      this.#take(markup);
    }
    this.#levels = [...this.#levels.filter((above) => above < level), level];
    const children: Node[] = [];
    this.#add({ kind: "heading", depth: this.#levels.length, children });
    this.#open.push(children);
  }

  #openElement(token: Token): void {
    if (!TAGS.test(token.tag)) {
      throw new Misplaced(`no element for ${token.type}`);
    }
    const first = Number(token.attrGet("start") ?? 1);
    const align = /text-align:(left|center|right)/.exec(String(token.attrGet("style")))?.[1];
    const children: Node[] = [];
    const element: Element = {
      ...{ kind: "element", tag: token.tag, children, align },
      ...(first !== 1 && { first }),
    };
    this.#item = token.tag === "li" ? element : this.#item;
    this.#add(element);
    this.#open.push(children);
  }

  #close(token: Token): void {
    if (!token.hidden) {
      this.#open.pop();
      this.#item = null;
    }
  }

  #leaf(token: Token): void {
    if (token.type === "fence" || token.type === "code_block") {
      const language = token.info.trim().split(/\s/)[0] ?? "";
      this.#add({ kind: "code-block", text: token.content.replace(/\n$/, ""), language });
    } else if (token.type === "math_block") {
      this.#add({ kind: "math", text: token.content, isDisplay: true });
    } else if (token.type === "hr") {
      this.#add({ kind: "rule" });
    } else {
      throw new Misplaced(`no element for ${token.type}`);
    }
    this.#goToLine(token.map?.[1] ?? 0);
  }

  #inline(token: Token): void {
    switch (token.type) {
      case "text":
        this.#add(token.content && { kind: "text", ...this.#take(token.content) });
        return;
      case "text_special":
        this.#add({ kind: "text", shown: token.content, ...this.#take(token.markup) });
        return;
      case "softbreak":
        this.#add({ kind: "text", ...this.#take("\n") });
        return;
      case "hardbreak":
        this.#take("\n");
        this.#add({ kind: "break" });
        return;
      case "code_inline":
        this.#take(token.markup);
        this.#take(token.content, true);
        this.#take(token.markup);
        this.#add({ kind: "code", text: token.content });
        return;
      case "math":
        this.#take(token.markup);
        this.#add({ kind: "math", text: token.content, isDisplay: token.info === "display" });
        return;
      case "address":
        this.#take(token.markup);
        this.#add({ kind: "link", text: token.content, address: token.info });
        return;
      default:
        this.#mark(token);
    }
  }

  #mark(token: Token): void {
    this.#take(token.markup);
    if (token.nesting === 1) {
      this.#openElement(token);
    } else {
      this.#close(token);
    }
  }

  #add(node: Node | ""): void {
    if (node) {
      this.#open.at(-1)?.push(node);
    }
  }
}
