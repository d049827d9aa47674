const HIDING =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:\.0+)?\s*(?:;|!|$)|font-size\s*:\s*(?:0|1px|1pt|1%|0?\.\d+(?!\d|r?em)[a-z%]*|0?\.[01]\d*r?em)(?:px|pt|r?em|%)?\s*(?:;|!|$))/i;
const WHITE =
  /(?:^|;)\s*color\s*:\s*(?:white|#fff(?:fff)?|rgb\(\s*255[,\s]+255[,\s]+255\s*\))\s*(?:;|!|$)/i;
const MEDIA_RULES = /@media\b([^{}]*)\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/gi;
/** Paper, or a screen of a certain size or setting, unless any screen has it. */
const ON_SOME_MEDIA = /^\s*(?:only\s+)?print\b|\((?!\s*min-(?:width|height)\s*:\s*[01](?:\D|$))/i;
const COMMENTS = /\/\*[\s\S]*?(?:\*\/|$)/g;
/** Bounded, to keep the time linear. */
const RULES = /([^{}@]{1,500})\{([^{}]{0,2000})\}/g;
const MOST_SELECTORS = 200;
/** Tags, classes, ids and attributes below each other. Structural pseudo-classes would take quadratic time. */
const LINEAR_SELECTOR =
  /^(?:[\w.#*>,\s-]|\[[\w-]+(?:[~|^$*]?=(?:"[^"\]]*"|'[^'\]]*'|[\w-]+))?\])+$/;
/** Elements that the selectors of a page may visit, ancestors included: about a second of CPU time. */
const MAX_VISITS = 20_000_000;
const STRIKING = /(?:^|;)\s*text-decoration(?:-line)?\s*:[^;]*\bline-through\b/i;
const STRUCK = new Set(["s", "del", "strike"]);
const STRUCK_MARK = "data-was-struck";
/** Marks hidden elements, which are then made visible so that Readability doesn't drop them unreported. */
const MARK = "data-was-hidden";

/** A style sheet without its comments and its rules for paper or for some screens, such as those that leave out buttons. */
function withoutMediaRules(sheet: string): string {
  return sheet
    .replace(COMMENTS, " ")
    .replace(MEDIA_RULES, (rules, media: string) =>
      media.split(",").every((each) => ON_SOME_MEDIA.test(each)) ? "" : rules,
    );
}

/** Marks the elements that their own style, or a style sheet of the page, hides or strikes out. */
export function markStyled(document: Document): void {
  const rules = [...document.querySelectorAll("style")].flatMap((style) => [
    ...withoutMediaRules(style.textContent ?? "").matchAll(RULES),
  ]);
  const styledBy = (style: RegExp) =>
    withinVisits(
      document,
      rules
        .filter(([, , declared = ""]) => style.test(declared))
        .slice(0, MOST_SELECTORS)
        .map(([, selector = ""]) => selector.trim()),
    ).flatMap((selector) => select(document, selector));
  const inline = select(document, "[style], [hidden]");
  const struck = inline.filter((each) => STRIKING.test(each.getAttribute("style") ?? ""));
  for (const element of [...styledBy(STRIKING), ...struck]) {
    element.setAttribute(STRUCK_MARK, "");
  }
  for (const element of [...styledBy(HIDING), ...inline.filter(isHidden)]) {
    element.setAttribute(MARK, "");
    element.removeAttribute("style");
    element.removeAttribute("hidden");
  }
}

/** The selectors that can be matched in linear time and, together, within the limit on visits. */
function withinVisits(document: Document, selectors: readonly string[]): string[] {
  const { count, depth } = measureTree(document);
  let left = MAX_VISITS;
  return selectors.filter((selector) => {
    if (!LINEAR_SELECTOR.test(selector)) {
      return false;
    }
    const alternatives = selector.split(",").length;
    const combinators = selector.match(/[^\s,>][\s>]+(?=[^\s,>])/g)?.length ?? 0;
    left -= count * (alternatives + combinators * depth);
    return left >= 0;
  });
}

function measureTree(document: Document): { count: number; depth: number } {
  const depths = new Map<Element | null, number>();
  let depth = 0;
  for (const element of document.querySelectorAll("*")) {
    const own = (depths.get(element.parentElement) ?? 0) + 1;
    depths.set(element, own);
    depth = Math.max(depth, own);
  }
  return { count: depths.size, depth };
}

function isHidden(element: Element): boolean {
  const style = element.getAttribute("style") ?? "";
  const isWhite = WHITE.test(style) && !/background/i.test(style);
  return element.hasAttribute("hidden") || HIDING.test(style) || isWhite;
}

function select(document: Document, selector: string): Element[] {
  try {
    return [...document.querySelectorAll(selector)];
  } catch {
    // The library doesn't know newer selectors.
    return [];
  }
}

export function isMarkedHidden(element: Element): boolean {
  return element.hasAttribute(MARK);
}

export function isStruckOut(element: Element): boolean {
  return STRUCK.has(element.localName) || element.hasAttribute(STRUCK_MARK);
}
