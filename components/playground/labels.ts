import type { Settings } from "./settings";

export const PLAYGROUND_PAGE = {
  title: "Playground",
  description:
    "Try requests the way your service sends them. Requests are billed. Conversations stay in this tab until you close it or sign out.",
};

export const EMPTY = {
  title: "Ask a question",
  description: "We search your documents and cite every claim.",
};

export const EXAMPLES = [
  "What are the signs of a stroke?",
  "Who must not take metformin?",
  "How is warfarin monitored?",
];

type Choices<T extends string> = { value: T; label: string }[];

export const VERIFY_CHOICES: Choices<Settings["verify"]> = [
  { value: "rules", label: "By rules (free)" },
  { value: "model", label: "By a model (billed)" },
  { value: "off", label: "Off" },
];

export const UNSUPPORTED_CHOICES: Choices<Settings["on_unsupported"]> = [
  { value: "keep", label: "Keep the citation" },
  { value: "strip", label: "Remove the citation" },
];

export const EMPTY_CHOICES: Choices<Settings["on_empty"]> = [
  { value: "answer", label: "Answer without sources" },
  { value: "abstain", label: "Abstain" },
];

export const RETURN_CHOICES: Choices<Settings["return"]> = [
  { value: "all", label: "All sources found" },
  { value: "cited", label: "Cited sources only" },
];

export const PRESET_CHOICES: (Choices<Settings["preset"]>[number] & { description: string })[] = [
  {
    value: "company",
    label: "Public + your documents",
    description: "Your account’s documents.",
  },
  {
    value: "personal",
    label: "Public + personal documents",
    description: "Only your own documents.",
  },
];

/** Why an answer is incomplete. */
export function formatFinish(reason: string): string | null {
  const known: Record<string, string | null> = {
    stop: null,
    length: "Stopped at max_tokens",
    content_filter: "Stopped by the model's content filter",
    tool_calls: "Stopped for a tool call",
  };
  return reason in known ? (known[reason] ?? null) : `Stopped: ${reason}`;
}

/** Such as `0.84 s` or `120 ms`. */
export function formatDuration(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}
