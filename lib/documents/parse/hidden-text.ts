import type { DocumentWarning } from "./pool";

/** What a person would not see or not expect in a text, by code: a pattern, and the sentence for `count` of it. */
const SIGNS = {
  zero_width_characters: {
    // Joiners inside emoji and in scripts that need them are meant to be there.
    pattern: /[\u200B\u2060-\u2064\u180E\uFEFF]|(?<=[\p{Script=Latin}\d])[\u200C\u200D]/gu,
    says: (count: number) =>
      `The text has ${count} characters without width, which a reader does not see.`,
  },
  bidi_controls: {
    pattern: /[\u202A-\u202E\u2066-\u2069]/g,
    says: (count: number) =>
      `The text has ${count} characters that turn the direction of writing, so it may read otherwise than it looks.`,
  },
  tag_characters: {
    // A flag such as Scotland's is a black flag with tags after it.
    pattern:
      /(?<!\u{1F3F4}[\u{E0000}-\u{E007F}]{0,7})[\u{E0000}-\u{E007F}]|[\u{E0100}-\u{E01EF}]{2,}/gu,
    says: (count: number) =>
      `The text has ${count} invisible tag characters, which can carry a message that a reader does not see.`,
  },
  addresses_the_model: {
    pattern: addressing(),
    says: (count: number) =>
      `The text has ${count} phrases that speak to an AI model and not to a reader. It is quoted as it is, never obeyed.`,
  },
} satisfies Record<string, { pattern: RegExp; says: (count: number) => string }>;

/** What the readers of formats report. */
const REPORTS: Record<string, (count: number) => string> = {
  hidden_text: (count) =>
    `The document has ${count} passages that a reader may not see: white, too small to read, or marked as hidden.`,
  invalid_characters: (count) =>
    `${count} characters could not be read and were replaced. Save the file as UTF-8 to keep them.`,
  suspect_encoding: () =>
    "The PDF does not say which letters many of its signs are, so its text may be garbled. Print it to a new PDF and upload that.",
  deeply_nested: () =>
    "Parts of the document are nested too deep to be told apart, so it is read as plain text.",
  ragged_rows: (count) => `${count} rows have more or fewer columns than the first one.`,
  pages_without_text: (count) =>
    `${count} pages have no text. If they are scans, recognize their text (OCR) and upload the document again.`,
  incomplete: (count) => `${count} parts of the document could not be read and are left out.`,
};

type Sign = keyof typeof SIGNS;
const CODES = Object.keys(SIGNS) as Sign[];

/** Which of the signs of a document are in a passage of it. */
export function signsIn(passage: string, codes: readonly string[]): string[] {
  return CODES.filter((code) => codes.includes(code) && passage.search(SIGNS[code].pattern) >= 0);
}

/** How often each sign is in a text; none that is not. */
export function countSigns(text: string): Map<string, number> {
  const counts = CODES.map((code) => [code, text.match(SIGNS[code].pattern)?.length ?? 0] as const);
  return new Map(counts.filter(([, count]) => count > 0));
}

/** The sentences of what was counted. */
export function toWarnings(counts: ReadonlyMap<string, number>): DocumentWarning[] {
  return [...counts].map(([code, count]) => {
    const says = code in SIGNS ? SIGNS[code as Sign].says : REPORTS[code];
    return { code, message: says?.(count) ?? code };
  });
}

/** Orders to a model, as they stand in the attacks known so far. A hint for a reader, never a filter. */
function addressing(): RegExp {
  const phrases = [
    String.raw`(?:ignore|disregard|forget|override)\s+(?:all\s+|any\s+|the\s+|your\s+|of\s+)*(?:previous|prior|above|earlier|preceding|foregoing|system)\s+(?:instruction|prompt|rule|direction|message|command|context)`,
    String.raw`you\s+are\s+now\s+(?:a|an|no\s+longer|dan)\b`,
    String.raw`(?:your|the|my|reveal|print|show)\s+system\s+prompt\b`,
    String.raw`\bsystem\s+prompt\s*:`,
    String.raw`do\s+not\s+(?:tell|inform|reveal\s+to)\s+the\s+user`,
    String.raw`(?:new|updated)\s+(?:system\s+)?instructions?\s*:`,
    String.raw`as\s+an\s+ai\s+(?:language\s+)?(?:model|assistant),?\s+you\s+(?:must|should|will)`,
    String.raw`<\|(?:im_start|im_end|system|endoftext)\|>|\[/?INST\]|<</?SYS>>`,
    String.raw`ignor(?:iere|ieren\s+sie)\s+(?:alle\s+|die\s+|deine\s+|ihre\s+)*(?:vorherigen|bisherigen|vorigen|obigen|früheren)\s+(?:anweisung|instruktion|befehl|regel)`,
    String.raw`(?:du\s+bist|sie\s+sind)\s+(?:jetzt|ab\s+sofort|nun)\s+(?:ein|eine|kein)\b`,
    String.raw`ignore[rz]?\s+(?:toutes?\s+)?(?:les\s+|vos\s+|tes\s+)?(?:instructions|consignes|règles)\s+(?:précédentes|antérieures|ci-dessus)`,
    String.raw`(?:tu\s+es|vous\s+êtes)\s+(?:maintenant|désormais)\s+une?\b`,
    String.raw`ignor(?:a|e|ar|en)\s+(?:todas\s+)?(?:las\s+|tus\s+|sus\s+)?(?:instrucciones|órdenes|reglas)\s+(?:anteriores|previas)`,
    String.raw`ignor(?:a|e|ar|em)\s+(?:todas\s+)?(?:as\s+|suas\s+)?(?:instruções|ordens|regras)\s+(?:anteriores|prévias)`,
    String.raw`ignora\s+(?:tutte\s+)?(?:le\s+)?istruzioni\s+precedenti`,
    String.raw`игнорируй(?:те)?\s+(?:все\s+)?(?:предыдущие|прежние)\s+(?:инструкции|указания)`,
    String.raw`(?:忽略|无视|忽視|無視)(?:之前|以前|上述|以上|所有|先前)[^。\n]{0,6}(?:指令|指示|提示)`,
    `(?:これまで|以前|上記|前)の(?:すべての)?(?:指示|命令)を無視`,
  ];
  return new RegExp(phrases.join("|"), "giu");
}
