/** Which pages are recognized: those without usable text, none, or all. */
export const OCR_MODES = ["auto", "off", "force"] as const;
export type OcrMode = (typeof OCR_MODES)[number];
