import type { Code, Nodes, Parents } from "mdast";

const LANGUAGES: Record<string, string> = {
  bash: "Shell",
  python: "Python",
  typescript: "TypeScript",
  tsx: "TypeScript",
  js: "JavaScript",
  go: "Go",
  json: "JSON",
  sql: "SQL",
  yaml: "YAML",
  text: "Text",
};

/** The name of a language as readers see it, such as "curl" or "Python". */
function codeLabel({ lang, value }: Pick<Code, "lang" | "value">): string {
  const label = LANGUAGES[lang ?? "bash"] ?? "Code";
  return label === "Shell" && value.startsWith("curl ") ? "curl" : label;
}

/**
 * Titles code blocks, and makes tabs of consecutive ones in different languages, so that the Markdown needs no syntax of
 * its own. Runs before `remarkCodeTab`.
 */
export function labelCodeBlocks() {
  return (tree: Nodes) => label(tree);
}

function label(node: Nodes): void {
  if (!("children" in node)) {
    return;
  }
  for (const run of runsOf(node)) {
    const tabs = new Set(run.map(codeLabel)).size === run.length && run.length > 1;
    for (const code of run) {
      const name = codeLabel(code);
      const title = code.meta?.includes("title=") ? code.meta : `title="${name}"`;
      code.meta = tabs ? `${title} tab="${name}"` : title;
      code.lang ??= "bash";
    }
  }
  node.children.forEach(label);
}

/** Consecutive code blocks, up to the first language that repeats. */
function runsOf({ children }: Parents): Code[][] {
  const runs: Code[][] = [];
  children.forEach((child, at) => {
    if (child.type !== "code") {
      return;
    }
    const last = runs.at(-1);
    const follows = last && children[at - 1] === last.at(-1);
    if (follows && last.every((code) => codeLabel(code) !== codeLabel(child))) {
      last.push(child);
    } else {
      runs.push([child]);
    }
  });
  return runs;
}
