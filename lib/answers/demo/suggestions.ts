/** A question that a script answers instead of a model, wrong on purpose, to show what the check reports. */
export const SCRIPTED_QUESTION =
  "What is the maximum adult dose of acetaminophen, and how does it harm the liver?";

/** Questions that the live demo suggests and the public sample answers. A test asks them all. */
export const SUGGESTIONS: readonly { text: string; note?: string }[] = [
  { text: SCRIPTED_QUESTION, note: "wrong on purpose" },
  { text: "How is warfarin monitored?" },
  { text: "What are the symptoms of anaphylaxis?" },
  { text: "How does albuterol work?" },
];
