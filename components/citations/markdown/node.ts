import type { Range } from "../places";

/** A Markdown node. Ranges refer to the answer's text. */
export type Node =
  | { kind: "element"; tag: string; children: Node[]; first?: number; align?: string | undefined }
  /** `depth`: 1 for the outermost heading, 2 for one below it; no depth is skipped. */
  | { kind: "heading"; depth: number; children: Node[] }
  /** Source text; `shown` differs where Markdown decodes a character, such as `&amp;`. */
  | ({ kind: "text"; shown?: string } & Range)
  | { kind: "break" }
  | { kind: "rule" }
  | { kind: "code"; text: string }
  | { kind: "code-block"; text: string; language: string }
  | { kind: "link"; text: string; address: string };

/** The ranges of all text nodes, in order. */
export function textsOf(nodes: readonly Node[]): Range[] {
  return nodes.flatMap((node): Range[] => {
    if (node.kind === "text") {
      return node.shown === undefined ? [node] : [];
    }
    return "children" in node ? textsOf(node.children) : [];
  });
}
