/** Private characters of fonts of symbols: U+F000 and the character's code in the font. */
const PRIVATE = /[\uf020-\uf0ff]/g;
const FIRST = 0x20;
const GAP = "\0";

/** Adobe's encoding of the Symbol font, from code 32 on. */
const SYMBOL = [
  " !∀#∃%&∋()∗+,−./0123456789:;<=>?",
  "≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_",
  `\u203eαβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼${GAP}`,
  GAP.repeat(32),
  "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵",
  "ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓",
  `◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪${GAP}〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭${GAP}`,
].join("");

/** Signs of Wingdings that stand in texts and forms: bullets, arrows and boxes. */
const WINGDINGS = new Map(
  Object.entries({
    ...{ 74: "☺", 76: "☹", 108: "●", 109: "❍", 110: "■", 111: "□", 113: "❑", 118: "❖", 120: "☒" },
    ...{ 167: "▪", 168: "☐", 216: "➢", 223: "←", 224: "→", 225: "↑", 226: "↓", 232: "→" },
    ...{ 239: "⇦", 240: "⇨", 251: "✗", 252: "✓", 253: "☒", 254: "☑" },
  }).map(([code, sign]) => [Number(code), sign]),
);

/** Of a private character whose font isn't known, these are far more often Wingdings than Symbol. */
const LIKELY_WINGDINGS = new Set([167, 168, 216, 223, 224, 232, 251, 252, 253, 254]);

/** The sign of a code in Symbol or Wingdings; null for one that has none in Unicode, or isn't known. */
export function signOf(code: number, font: "Symbol" | "Wingdings"): string | null {
  const sign = font === "Symbol" ? SYMBOL[code - FIRST] : WINGDINGS.get(code);
  return sign === undefined || sign === GAP ? null : sign;
}

/** A text with the signs that its private characters show, as long as before. */
export function withSigns(text: string): string {
  return text.replace(PRIVATE, (char) => {
    const code = char.charCodeAt(0) & 0xff;
    return signOf(code, LIKELY_WINGDINGS.has(code) ? "Wingdings" : "Symbol") ?? char;
  });
}
