/** Fields that OpenAI's first models and Mistral accept in a message. */
const KNOWN = new Set(["role", "content", "name", "tool_calls", "tool_call_id", "refusal"]);

interface Strictness {
  /** Whether it takes no unknown field in a message, and one system message at the start. */
  isStrict?: boolean;
}

/** The script with status 400 if it is strict and the messages aren't as it takes them. */
export function withStrictness<S extends Strictness>(script: S, messages: readonly object[]): S {
  const error = script.isStrict ? strictErrorOf(messages) : null;
  return error ? { ...script, status: 400, error } : script;
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
