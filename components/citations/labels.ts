import type { Tone } from "@/components/ui/badge";
import type { Judged, Verdict, Verification } from "@/lib/citations/schema";

interface VerdictWords {
  name: string;
  tone: Tone;
  /** What the mark under a claim looks like, for the legend. */
  line: string;
  about: string;
}

/** What each verdict is called. A verdict speaks of the passage, never of truth. */
export const VERDICT_LABELS: Record<Verdict, VerdictWords> = {
  supported: {
    name: "Supported",
    tone: "success",
    line: "solid line",
    about: "The passage says this.",
  },
  partial: {
    name: "Partly supported",
    tone: "warning",
    line: "dashed line",
    about: "The passage says part of this.",
  },
  unsupported: {
    name: "Not supported",
    tone: "neutral",
    line: "dotted line",
    about: "The passage does not say this.",
  },
  contradicted: {
    name: "Appears to contradict",
    tone: "danger",
    line: "wavy line",
    about: "The passage appears to say otherwise.",
  },
};

export const VERDICTS: readonly Verdict[] = ["supported", "partial", "unsupported", "contradicted"];

const REASONS: Record<string, string> = {
  empty: "There is nothing in the claim to compare.",
  missing_terms: "Words of the claim do not occur in the passage.",
  number: "A number of the claim does not stand in the passage.",
  unit: "A number stands there with another unit.",
  comparator: "A bound differs, such as “at least” and “at most”.",
  negation: "One of the two denies what the other says.",
  direction: "One says that it rises, the other that it falls.",
  not_asserted: "The passage names this as an aim or a question and does not assert it.",
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

/** What each way of checking can and cannot see. */
export const METHOD_LIMITS: Record<Verification["method"], string> = {
  off: "The claims of this answer were not checked against their sources.",
  rules:
    "Rules compare words, numbers, units, negations and directions with the passage. They miss a claim put in wholly other words, and they cannot tell whether the passage itself is right.",
  model:
    "A model read each claim beside its passage. It sees other wordings, can be wrong itself, and cannot tell whether the passage is right.",
  mixed:
    "A model read most claims beside their passages; rules checked those it could not be asked about. Neither can tell whether the passage itself is right.",
};

/** What a reader should know of a passage. */
const WARNINGS: Record<string, string> = {
  hidden_text: "Part of this passage is hidden from people who open the document.",
  zero_width_characters: "This passage has characters without width, which nobody sees.",
  bidi_controls: "This passage turns the direction of writing, so it may not read as it looks.",
  tag_characters: "This passage has invisible characters that can carry a message.",
  addresses_the_model: "This passage speaks to an AI model. It is quoted, never obeyed.",
};

export function formatWarning(code: string): string {
  return WARNINGS[code] ?? `This passage was marked: ${code.replaceAll("_", " ")}.`;
}

/** A similarity from 0 to 1, such as `0.54`. */
export function formatSimilarity(similarity: number): string {
  return similarity.toFixed(2);
}

/** A share from 0 to 1, such as `75 %`. */
export function formatShare(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** Such as `3 markers`. */
export function formatCount(count: number, [one, many]: readonly [string, string]): string {
  return `${count} ${count === 1 ? one : many}`;
}
