import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

type Oklch = readonly [lightness: number, chroma: number, hue: number];

const css = readFileSync("app/globals.css", "utf8");
const TOKEN = /--color-([\w-]+): light-dark\(oklch\(([\d. ]+)\), oklch\(([\d. ]+)\)\)/g;
const toColor = (text = "") => text.split(" ").map(Number) as unknown as Oklch;
const themes = [2, 3].map(
  (group) =>
    new Map([...css.matchAll(TOKEN)].map((match) => [match[1] ?? "", toColor(match[group])])),
);

/** The relative luminance of WCAG, by way of linear sRGB. */
function luminance([lightness, chroma, hue]: Oklch): number {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clamp = (value: number) => Math.min(1, Math.max(0, value));
  return (
    0.2126 * clamp(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s) +
    0.7152 * clamp(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s) +
    0.0722 * clamp(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)
  );
}

/** How far apart two colors look, in Oklab. */
function difference(one: Oklch, other: Oklch): number {
  const [a, b] = [one, other].map(([lightness, chroma, hue]) => {
    const angle = (hue * Math.PI) / 180;
    return [lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)];
  });
  return Math.hypot(...(a ?? []).map((part, index) => part - (b?.[index] ?? 0)));
}

const GROUNDS = ["canvas", "surface", "raised", "sunken"];
const CHART = ["sky", "violet", "teal", "plum", "slate"].map((name) => `chart-${name}`);
const TONES = ["accent", "danger", "success", "warning"];
/** Foreground, background and the least contrast: 4.5 for text, 3 for the edges of controls. */
const PAIRS: [string, string, number][] = [
  ...GROUNDS.flatMap((ground): [string, string, number][] => [
    ...["ink", "muted", ...TONES].map((text): [string, string, number] => [text, ground, 4.5]),
    ["control", ground, 3],
    ...CHART.map((color): [string, string, number] => [color, ground, 3]),
  ]),
  ...TONES.flatMap((tone): [string, string, number][] =>
    [tone, "ink", "muted"].map((text) => [text, `${tone}-soft`, 4.5]),
  ),
  ["on-accent", "accent", 4.5],
  ["on-danger", "danger", 4.5],
  ["canvas", "ink", 4.5],
  ...["on-code", "code-key", "code-string", "code-add", "code-comment"].map(
    (text): [string, string, number] => [text, "code", 4.5],
  ),
];

/** The kinds of a stacked chart, from the bottom up. */
const STACK = ["sky", "accent", "violet", "teal", "plum", "moss", "slate"].map((name) =>
  name === "accent" ? name : `chart-${name}`,
);
const LEAST_DIFFERENCE = 0.14;

describe.each([
  ["light", themes[0]],
  ["dark", themes[1]],
])("in the %s theme", (_, theme) => {
  it.each(PAIRS)("%s on %s has a contrast of at least %d", (text, ground, least) => {
    const colors = [theme?.get(text), theme?.get(ground)];
    const [low = 0, high = 0] = colors
      .map((color) => luminance(color ?? [0.5, 0, 0]))
      .toSorted((a, b) => a - b);
    expect((high + 0.05) / (low + 0.05)).toBeGreaterThanOrEqual(least);
  });

  it.each(STACK.slice(1).map((color, index) => [color, STACK[index] ?? ""]))(
    "%s can be told from %s below it in a chart",
    (color, below) => {
      const [one, other] = [theme?.get(color), theme?.get(below)];
      expect(difference(one ?? [0, 0, 0], other ?? [0, 0, 0])).toBeGreaterThan(LEAST_DIFFERENCE);
    },
  );
});

it("no class names a color that the theme doesn't have", () => {
  // Tailwind's own palette is switched off, and a class of it makes no style at all.
  const OTHER =
    /-(?:white|black|(?:slate|gr[ae]y|zinc|neutral|stone|red|orange|amber|yellow|lime|green|emerald|teal|cyan|sky|blue|indigo|violet|purple|fuchsia|pink|rose)-\d{2,3})(?![\w-])/g;
  const found = globSync("{app,components}/**/*.tsx").flatMap((file) =>
    (readFileSync(file, "utf8").match(OTHER) ?? []).map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});
