import {
  CircleCheck,
  CircleDashed,
  CircleMinus,
  CircleQuestionMark,
  CircleX,
  type LucideIcon,
} from "lucide-react";
import type { Verification } from "@/lib/answers/citations/schema";
import type { Judged, Verdict } from "@/lib/evidence/verdict/judged";
import { formatCount } from "@/lib/format-count";

interface VerdictLabel {
  name: string;
  icon: LucideIcon;
  color: string;
  /** The style of the line under a claim. */
  style: string;
  about: string;
}

/** In increasing order of concern. A verdict is about what the passage says, never about truth. */
export const VERDICT_LABELS: Record<Verdict, VerdictLabel> = {
  supported: {
    name: "Supported",
    icon: CircleCheck,
    color: "text-success",
    style: "decoration-success",
    about: "The passage supports this.",
  },
  partial: {
    name: "Partially supported",
    icon: CircleDashed,
    color: "text-warning",
    style: "decoration-warning decoration-dashed",
    about: "The passage supports part of this.",
  },
  unjudged: {
    name: "Not checked",
    icon: CircleMinus,
    color: "text-muted",
    style: "decoration-transparent",
    about: "The rules can’t check this. Compare it with the passage yourself.",
  },
  unsupported: {
    name: "Not supported",
    icon: CircleQuestionMark,
    color: "text-muted",
    style: "decoration-muted decoration-dotted bg-sunken",
    about: "The passage doesn’t support this.",
  },
  contradicted: {
    name: "Possibly contradicted",
    icon: CircleX,
    color: "text-danger",
    style: "decoration-danger decoration-wavy bg-danger-soft",
    about: "The passage seems to say the opposite.",
  },
};

export const VERDICTS = Object.keys(VERDICT_LABELS) as readonly Verdict[];

/** The verdicts to list: those that are always counted, and `unjudged` only if it occurs. */
export function listedVerdicts(unjudged: number | null): Verdict[] {
  return VERDICTS.filter((verdict) => verdict !== "unjudged" || (unjudged ?? 0) > 0);
}

const REASONS: Record<string, string> = {
  subject: "The claim is about something that neither the passage nor its title names.",
  language:
    "Rules cover English, German, Spanish, French, Italian, Portuguese and Dutch, and only compare a claim with a passage in the same language.",
  ocr: "The passage’s text was recognized in an image, and a number in it may have been misread.",
  too_short: "A bare “yes”, “no” or number can’t be compared with the passage.",
  empty: "The claim has nothing to compare.",
  missing_terms: "Key words of the claim aren’t in the passage.",
  number: "A number in the claim isn’t in the passage.",
  unit: "The number has a different unit in the passage.",
  comparator: "A bound differs, such as “at least” versus “at most”.",
  negation: "One says the opposite of the other.",
  direction: "One says it increases, the other that it decreases.",
  roles: "One swaps who does what to whom.",
  overclaim:
    "The passage limits this, for example with “may”, “in children” or “if”. The claim doesn’t.",
  not_asserted: "The passage mentions this as a goal or a question, not as a finding.",
};

/** Why a claim is not fully supported, as a sentence; null when it is. */
export function formatReason(reason: string | null): string | null {
  if (!reason) {
    return null;
  }
  const plain = reason.replaceAll("_", " ").trim();
  return REASONS[reason] ?? `${plain.charAt(0).toUpperCase()}${plain.slice(1)}.`;
}

export const METHOD_LABELS: Record<Judged["method"], string> = {
  rules: "Checked by rules",
  model: "Checked by a model",
};

/** What each verification method can and can't detect. */
export const METHOD_LIMITS: Record<Verification["method"], string> = {
  off: "The claims in this answer weren’t checked against their sources.",
  rules:
    "Rules compare words, numbers, units, negation and direction with the passage. They miss heavy paraphrase, and they can’t tell whether the passage itself is right.",
  model:
    "A model compared each claim with its passage. It handles paraphrase, but it can be wrong, and it can’t tell whether the passage is right.",
  mixed:
    "A model compared most claims with their passages, and rules checked the rest. Neither can tell whether the passage itself is right.",
};

const WARNINGS: Record<string, string> = {
  recognized_text:
    "This text was recognized in an image (OCR). Check numbers against the original.",
  hidden_text: "Part of this passage is hidden from readers of the document.",
  struck_text: "Words of this passage are struck out in the document. They support no claim.",
  zero_width_characters: "This passage contains invisible zero-width characters.",
  bidi_controls: "This passage changes text direction, so it may not read the way it looks.",
  tag_characters: "This passage contains invisible characters that can hide a message.",
  imitates_turns: "This passage imitates the marks of a chat. They are quoted, never followed.",
};

export function formatWarning(code: string): string {
  return WARNINGS[code] ?? `This passage was flagged: ${code.replaceAll("_", " ")}.`;
}

/** A similarity from 0 to 1, such as `0.54`. */
export function formatSimilarity(similarity: number): string {
  return similarity.toFixed(2);
}

const MARKER_FACTS: Readonly<Record<string, string>> = {
  dropped_markers: "to sources that don’t exist: removed.",
  repaired_markers: "in a nonstandard format: normalized.",
  added_markers: "added where the model wrote none.",
  stripped_markers: "not supported by their source: removed.",
  unknown_markers: "in a format we don’t recognize: left in the text.",
};

/** What became of an answer's markers, a sentence for each. Older answers lack some counts. */
export function listMarkerFacts(counts: object): string[] {
  return Object.entries(MARKER_FACTS).flatMap(([name, fact]) => {
    const count = Number(Reflect.get(counts, name) ?? 0);
    return count > 0 ? [`${formatCount(count, "citation")} ${fact}`] : [];
  });
}
