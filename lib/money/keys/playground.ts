import type { KnowledgeScope } from "@/lib/platform/auth/schema";

export const PLAYGROUND_PRESETS = ["company", "personal"] as const;
export type PlaygroundPreset = (typeof PLAYGROUND_PRESETS)[number];

/** `personal_kb` holds the member's own documents. */
export const PLAYGROUND_KNOWLEDGE: Record<PlaygroundPreset, readonly KnowledgeScope[]> = {
  company: ["public_kb", "customer_kb"],
  personal: ["public_kb", "personal_kb"],
};
