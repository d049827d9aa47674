import plugin from "tailwindcss/plugin";

/*
 * System fonts to show until the web fonts have loaded, resized to match them so that the layout doesn't shift. Each weight
 * has its own face, because the web fonts get wider as they get bolder, while system fonts come in only two weights. A width is
 * `size-adjust` in percent: the web font's average letter width divided by the system font's, weighted by how often each letter
 * occurs in English. Widths were measured from the font files (Arial and Times New Roman, for which Liberation has the same
 * widths, and DejaVu) or taken from Capsize's tables (Android's Roboto and Noto Serif). Where texts differed by a hundredth, the
 * value is the one that breaks the home page's lines where the web font does.
 */
interface Fallback {
  family: string;
  /** The system's fonts, the preferred one first. */
  fonts: readonly string[];
  /** By weight: the width of letters and, where they have a face of their own, of digits. */
  widths: Record<number, readonly number[]>;
}

const SANS: readonly Fallback[] = [
  {
    family: "Arial",
    fonts: ["Arial", "Liberation Sans"],
    widths: { 400: [102.65], 500: [105.28] },
  },
  {
    family: "Arial",
    fonts: ["Arial Bold", "Liberation Sans Bold"],
    widths: { 600: [99.76], 700: [102.17] },
  },
  { family: "Roboto", fonts: ["Roboto"], widths: { 400: [104.99] } },
  { family: "Roboto", fonts: ["Roboto Medium", "Roboto"], widths: { 500: [106.41] } },
  { family: "Roboto", fonts: ["Roboto Bold", "Roboto"], widths: { 600: [108.15], 700: [110.36] } },
  { family: "DejaVu Sans", fonts: ["DejaVu Sans"], widths: { 400: [92.11], 500: [94.26] } },
  { family: "DejaVu Sans", fonts: ["DejaVu Sans Bold"], widths: { 600: [85.35], 700: [87.23] } },
];

// The serif's digits need widths of their own, so that doses and prices wrap the same before and after.
const SERIF: readonly Fallback[] = [
  {
    family: "Times",
    fonts: ["Times New Roman", "Liberation Serif"],
    widths: { 400: [105.3, 113.3], 500: [107.14, 117.5] },
  },
  {
    family: "Times",
    fonts: ["Times New Roman Bold", "Liberation Serif Bold"],
    widths: { 600: [103.52, 122.1] },
  },
  {
    family: "Noto Serif",
    fonts: ["Noto Serif"],
    widths: { 400: [89.09, 101.34], 500: [91.16, 105.1] },
  },
  {
    family: "Noto Serif",
    fonts: ["Noto Serif Bold", "Noto Serif"],
    widths: { 600: [87.89, 108.05] },
  },
  {
    family: "DejaVu Serif",
    fonts: ["DejaVu Serif"],
    widths: { 400: [82.34, 89.04], 500: [84.28, 92.34] },
  },
  { family: "DejaVu Serif", fonts: ["DejaVu Serif Bold"], widths: { 600: [78.22, 87.74] } },
];

/** The `@font-face` rules of fallbacks for a web font with this ascent and descent, in percent of its size. */
function toFontRules(fallbacks: readonly Fallback[], ascent: number, descent: number) {
  return fallbacks.flatMap(({ family, fonts, widths }) =>
    Object.entries(widths).flatMap(([weight, ofCharacters]) =>
      ofCharacters.map((width, index) => ({
        fontFamily: `"Fallback ${family}"`,
        fontWeight: weight,
        src: fonts.map((font) => `local("${font}")`).join(", "),
        ...(index === 1 && { unicodeRange: "U+30-39" }),
        sizeAdjust: `${width}%`,
        ascentOverride: `${((ascent / width) * 100).toFixed(2)}%`,
        descentOverride: `${((descent / width) * 100).toFixed(2)}%`,
        lineGapOverride: "0%",
      })),
    ),
  );
}

export default plugin(({ addBase }) =>
  addBase({ "@font-face": [...toFontRules(SANS, 100.5, 29.5), ...toFontRules(SERIF, 73.5, 26.5)] }),
);
