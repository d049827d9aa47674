import type { ElementContent } from "hast";
import { createCssVariablesTheme, type ShikiTransformer } from "shiki";
import { LOCAL_ADDRESS } from "./local-address";

/** Tokens with a color of their own. The others are plain text, which keeps pages small. */
const COLORED = /token-(keyword|string|comment)/;

/** Writes classes such as `code-string`, which `app/globals.css` colors, in place of inline styles. */
const TO_CLASSES: ShikiTransformer = {
  name: "to-classes",
  pre(node) {
    delete node.properties.style;
  },
  line(node) {
    delete node.properties.class;
    node.children = node.children.reduce(addToken, []);
    for (const parent of [node, ...node.children]) {
      markAddress(parent);
    }
  },
};

function addToken(tokens: ElementContent[], token: ElementContent): ElementContent[] {
  if (token.type !== "element") {
    return [...tokens, token];
  }
  const name = COLORED.exec(String(token.properties.style))?.[1];
  if (name) {
    return [...tokens, { ...token, properties: { class: `code-${name}` } }];
  }
  const last = tokens.at(-1);
  const [text] = token.children;
  if (last?.type === "text" && text?.type === "text") {
    return [...tokens.slice(0, -1), { type: "text", value: last.value + text.value }];
  }
  return [...tokens, ...token.children];
}

/** server/public-pages.ts puts in the server's own address. React must keep it when it hydrates the page. */
function markAddress(parent: ElementContent): void {
  if (
    parent.type === "element" &&
    parent.children.some((child) => child.type === "text" && child.value.includes(LOCAL_ADDRESS))
  ) {
    parent.properties.suppressHydrationWarning = true;
  }
}

/** For every highlighted block. Oniguruma, because the other engine splits some lines wrongly. */
export const HIGHLIGHTING = {
  themes: { light: createCssVariablesTheme({ name: "footnote", variablePrefix: "--code-" }) },
  defaultColor: "light" as const,
  engine: "oniguruma" as const,
  transformers: [TO_CLASSES],
};
