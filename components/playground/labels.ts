import type { Settings } from "./settings";

export const PLAYGROUND_PAGE = {
  title: "Playground",
  description:
    "Ask as your service would, and check every citation. Requests are billed. The conversation stays in this tab, and is forgotten when you sign out or close it.",
};

export const EMPTY = {
  title: "Ask your first question",
  description:
    "The last message you send is what the knowledge bases are searched with. Every number in the answer leads to its source.",
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
  { value: "keep", label: "Keep the marker" },
  { value: "strip", label: "Take the marker away" },
];

export const EMPTY_CHOICES: Choices<Settings["on_empty"]> = [
  { value: "answer", label: "Answer without sources" },
  { value: "abstain", label: "Abstain" },
];

export const RETURN_CHOICES: Choices<Settings["return"]> = [
  { value: "all", label: "All that were found" },
  { value: "cited", label: "Only those cited" },
];

export const PRESET_CHOICES: (Choices<Settings["preset"]>[number] & { description: string })[] = [
  {
    value: "company",
    label: "Company: public + customer",
    description: "Documents of your account.",
  },
  {
    value: "personal",
    label: "Personal: public + personal",
    description: "Your own documents alone.",
  },
];

/** Why an answer ended, when it was not that all was said. */
export function formatFinish(reason: string): string | null {
  const known: Record<string, string | null> = {
    stop: null,
    length: "Ended at max_tokens",
    content_filter: "Ended by the model's content filter",
    tool_calls: "Ended with a tool call",
  };
  return reason in known ? (known[reason] ?? null) : `Ended: ${reason}`;
}

/** Such as `0.84 s` or `120 ms`. */
export function formatDuration(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}
