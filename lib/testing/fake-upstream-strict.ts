/** Fields that OpenAI's first models and Mistral accept in a message. */
const KNOWN = new Set(["role", "content", "name", "tool_calls", "tool_call_id", "refusal"]);

interface Strictness {
  /** Whether it takes no unknown field in a message, and one system message at the start. */
  isStrict?: boolean;
  /** Whether it answers with the conversation before the last message, a line for each message. */
  recalls?: boolean;
}

/** The script with status 400 if it is strict and the messages aren't as it takes them. */
export function withStrictness<S extends Strictness>(
  script: S,
  messages: readonly { role: string; content: unknown }[],
): S {
  const error = script.isStrict ? strictErrorOf(messages) : null;
  if (error) {
    return { ...script, status: 400, error };
  }
  return script.recalls ? { ...script, text: conversationOf(messages) } : script;
}

function conversationOf(messages: readonly { role: string; content: unknown }[]): string {
  return messages
    .slice(0, -1)
    .filter(({ role }) => role === "user" || role === "assistant")
    .map(({ role, content }) => `${role}: ${JSON.stringify(content)}`)
    .join("\n");
}

function strictErrorOf(messages: readonly object[]): Record<string, unknown> | null {
  for (const [index, message] of messages.entries()) {
    const unknown = Object.keys(message).find((field) => !KNOWN.has(field));
    if (unknown) {
      const param = `messages[${index}].${unknown}`;
      return { message: `Unknown parameter: '${param}'.`, param };
    }
    if (index > 0 && "role" in message && message.role === "system") {
      return { message: "System message must be at the beginning." };
    }
  }
  return null;
}
