/** Questions that the public sample answers; the first one is answered by the script. A test asks them all. */
export const SUGGESTIONS: readonly { text: string; note?: string }[] = [
  {
    text: "What is the maximum adult dose of acetaminophen, and how does it harm the liver?",
    note: "wrong on purpose",
  },
  { text: "How is warfarin monitored?" },
  { text: "What are the symptoms of anaphylaxis?" },
  { text: "How does albuterol work?" },
];
