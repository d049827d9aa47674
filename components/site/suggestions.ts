/** Questions that the public sample answers; the first one is answered by the script. A test asks them all. */
export const SUGGESTIONS: readonly { text: string; note?: string }[] = [
  {
    text: "What is the maximum adult dose of acetaminophen, and how does it harm the liver?",
    note: "wrong on purpose",
  },
  { text: "What is the target INR on warfarin?" },
  { text: "Which foods trigger anaphylaxis?" },
  { text: "How is asthma treated with albuterol?" },
];
