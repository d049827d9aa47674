/** Fields that OpenAI's first models and Mistral accept in a message. */
const KNOWN = new Set(["role", "content", "name", "tool_calls", "tool_call_id", "refusal"]);

/** Fields of a request in OpenAI's reference. */
const KNOWN_FIELDS = new Set(
  `model messages stream stream_options temperature top_p n stop max_tokens max_completion_tokens presence_penalty
  frequency_penalty logit_bias logprobs top_logprobs user seed tools tool_choice parallel_tool_calls response_format
  reasoning_effort verbosity store metadata prediction service_tier safety_identifier prompt_cache_key`.split(
    /\s+/,
  ),
);

interface Strictness {
  /** Whether it takes no unknown field, in the request or a message, and one system message at the start. */
  isStrict?: boolean;
  /** Whether it answers with the conversation before the last message, a line for each message. */
  recalls?: boolean;
}

/** The script with status 400 if it is strict and the messages aren't as it takes them. */
export function withStrictness<S extends Strictness>(
  script: S,
  body: { messages: readonly { role: string; content: unknown }[] },
): S {
  const { messages } = body;
  const error = script.isStrict ? (unknownFieldOf(body) ?? strictErrorOf(messages)) : null;
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

function hasMedia(message: object): boolean {
  const content: unknown = Reflect.get(message, "content");
  return Array.isArray(content) && content.some(({ type }) => type !== "text");
}

function unknownFieldOf(body: object): Record<string, unknown> | null {
  const param = Object.keys(body).find((field) => !KNOWN_FIELDS.has(field));
  return param === undefined ? null : { message: `Unknown parameter: '${param}'.`, param };
}

function strictErrorOf(messages: readonly object[]): Record<string, unknown> | null {
  for (const [index, message] of messages.entries()) {
    const unknown = Object.keys(message).find((field) => !KNOWN.has(field));
    if (unknown) {
      const param = `messages[${index}].${unknown}`;
      return { message: `Unknown parameter: '${param}'.`, param };
    }
    if ("role" in message && message.role === "tool" && hasMedia(message)) {
      const param = `messages[${index}].content`;
      return { message: `Invalid '${param}': a tool's output is text.`, param };
    }
    if (index > 0 && "role" in message && message.role === "system") {
      return { message: "System message must be at the beginning." };
    }
  }
  return null;
}
