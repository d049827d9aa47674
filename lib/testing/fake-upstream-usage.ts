/** What is reported unless a script says otherwise: of short prompts a hundred tokens. */
export function reportedUsage(text: string, { messages }: { messages?: unknown }) {
  const { length } = JSON.stringify(messages ?? []);
  const prompt = length > 1500 ? Math.ceil(length / 5) : 100;
  const completion = text.split(/\s+/).length;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  };
}
