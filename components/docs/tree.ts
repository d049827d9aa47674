/** The parts of the hast tree that these plugins use. */
export interface HtmlNode {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: HtmlNode[];
}

export interface Heading {
  id: string;
  text: string;
  depth: 2 | 3;
}

export interface Sample {
  label: string;
  code: string;
}

const LANGUAGES: Record<string, string> = {
  bash: "Shell",
  python: "Python",
  typescript: "TypeScript",
  json: "JSON",
  text: "Text",
};

const DEPTHS: Record<string, Heading["depth"]> = { h2: 2, h3: 3 };

/** Collects the page's headings, in order. Runs after the ids are assigned. */
export function collectHeadings(headings: Heading[]) {
  return () => (tree: HtmlNode) => {
    for (const node of tree.children ?? []) {
      const depth = DEPTHS[node.tagName ?? ""];
      if (depth) {
        headings.push({ id: String(node.properties?.id), text: textOf(node), depth });
      }
    }
  };
}

/** Merges consecutive code blocks in different languages into one tabbed sample. */
export function groupSamples() {
  return (tree: HtmlNode) => {
    tree.children = grouped(tree.children ?? []);
  };
}

function grouped(nodes: readonly HtmlNode[]): HtmlNode[] {
  const out: (HtmlNode | Sample[])[] = [];
  for (const node of nodes) {
    if (node.tagName === "pre") {
      addSample(out, sampleOf(node));
    } else if (node.value !== "\n" || !Array.isArray(out.at(-1))) {
      out.push({ ...node, ...(node.children && { children: grouped(node.children) }) });
    }
  }
  return out.map((part) => {
    const properties = { dataSamples: JSON.stringify(part) };
    return Array.isArray(part)
      ? { type: "element", tagName: "figure", properties, children: [] }
      : part;
  });
}

/** Adds a block to the preceding sample unless that already has its language. */
function addSample(out: (HtmlNode | Sample[])[], sample: Sample): void {
  const last = out.at(-1);
  if (Array.isArray(last) && last.every(({ label }) => label !== sample.label)) {
    last.push(sample);
  } else {
    out.push([sample]);
  }
}

function sampleOf(pre: HtmlNode): Sample {
  const code = textOf(pre).replace(/\n$/, "");
  const names = pre.children?.[0]?.properties?.className;
  const language = Array.isArray(names) ? String(names[0]).replace("language-", "") : "bash";
  const label = LANGUAGES[language] ?? "Code";
  return { label: label === "Shell" && code.startsWith("curl ") ? "curl" : label, code };
}

function textOf({ value, children }: HtmlNode): string {
  return value ?? (children ?? []).map(textOf).join("");
}
