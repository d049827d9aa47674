import type { PlaygroundPreset } from "@/lib/money/keys/playground";
import type { Settings } from "./settings";

export const PLAYGROUND_PAGE = {
  title: "Playground",
  description: "Requests here are billed like API calls. Conversations stay in this browser.",
};

export const EMPTY = {
  title: "Ask a question",
  description: "We search your documents and cite every claim.",
};

export const EXAMPLES = [
  "What are the signs of a stroke?",
  "What are the side effects of metformin?",
  "How is warfarin monitored?",
];

/** The settings with a few possible values, each with its label. */
export const CHOICES = {
  search: {
    label: "When to search",
    options: { always: "For every question", auto: "When the model decides to" },
  },
  query: {
    label: "Search with",
    options: { conversation: "Whole conversation", last: "Last message only" },
  },
  verify: {
    label: "Verification",
    options: {
      auto: "Automatic",
      rules: "By rules (free)",
      model: "By a model (billed)",
      off: "Off",
    },
  },
  on_unsupported: {
    label: "Unsupported claims",
    options: { keep: "Keep the citation", strip: "Remove the citation" },
  },
  on_empty: {
    label: "When nothing is found",
    options: { answer: "Answer anyway", say_so: "Say so" },
  },
  return: {
    label: "Sources in the response",
    options: { all: "All sources found", cited: "Cited sources only" },
  },
} satisfies {
  [Name in keyof Settings]?: { label: string; options: Record<Settings[Name] & string, string> };
};

/** The settings that are typed; empty is the API's default. */
export const TEXTS = {
  top_k: { label: "Max sources", hint: "1 to 50", placeholder: "8", inputMode: "numeric" },
  min_score: { label: "Min similarity", hint: "0 to 1", placeholder: "0.3", inputMode: "decimal" },
  source_types: { label: "Source types", hint: "separated by commas", placeholder: "All" },
  document_ids: { label: "Documents", hint: "ids, separated by commas", placeholder: "All" },
  temperature: { label: "Temperature", hint: "", placeholder: "Default", inputMode: "decimal" },
  max_tokens: { label: "Max tokens", hint: "", placeholder: "Default", inputMode: "numeric" },
} as const;

/** The settings that are on or off. */
export const SWITCHES = {
  enabled: { label: "Cite sources", description: "Search knowledge bases and cite the results." },
  required: { label: "Require sources", description: "Fail if retrieval can’t run." },
  quotes: { label: "Quotes", description: "Include the words that support each claim." },
  stream: { label: "Stream", description: "Turn off streaming to see warnings." },
  store: {
    label: "Store answers",
    description: "Keep each answer and its evidence in your account, so that you can share it.",
  },
};

export const PRESET_LABELS: Record<PlaygroundPreset, string> = {
  company: "Public + your documents",
  personal: "Public + personal documents",
};

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

/** Such as `1,349 in, 46 out`. */
export function formatTokens({
  prompt_tokens,
  completion_tokens,
}: Record<"prompt_tokens" | "completion_tokens", number>): string {
  const [input, output] = [prompt_tokens, completion_tokens].map((count) =>
    count.toLocaleString("en-US"),
  );
  return `${input} in, ${output} out`;
}
