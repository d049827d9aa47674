export const PRESETS_PAGE = {
  title: "Presets",
  description: "Models with built-in citation settings, for clients that can’t send them.",
};

/** Settings with a few possible values. The first value is what a preset without the setting does. */
export const CHOICES = [
  {
    name: "return",
    label: "Sources in the response",
    options: { "": "All sources found (default)", cited: "Cited sources only" },
  },
  {
    name: "verify",
    label: "Verification",
    options: {
      "": "Automatic (default)",
      rules: "By rules (free)",
      model: "By a model (billed)",
      off: "Off",
    },
  },
  {
    name: "on_unsupported",
    label: "Unsupported claims",
    options: { "": "Keep the citation (default)", strip: "Remove the citation" },
  },
  {
    name: "on_empty",
    label: "When nothing is found",
    options: { answer: "Answer anyway", say_so: "Say so (default)" },
  },
  {
    name: "query",
    label: "Search with",
    options: {
      "": "The key’s setting (default)",
      last: "Last message only",
      conversation: "Whole conversation",
    },
  },
  {
    name: "render",
    label: "Show citations as",
    options: { "": "Markers, [1] (default)", links: "Links", footnotes: "Footnotes" },
  },
] as const;

export type ChoiceName = (typeof CHOICES)[number]["name"];
