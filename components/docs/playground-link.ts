/** What the playground can start with. The names are those of its settings, and their values text or switches. */
interface ChatRequest {
  model?: unknown;
  messages?: { role?: unknown; content?: unknown }[];
  citations?: Record<string, unknown>;
}

const BODY = /-d '(\{[\s\S]*\})'/;

/**
 * The playground's address with the question of a curl command for chat completions; null for any other code. It is in
 * the fragment, which browsers don't send to the server, in the form that `components/playground` reads.
 */
export function playgroundLink(code: string): string | null {
  const body = code.includes("/v1/chat/completions") ? BODY.exec(code)?.[1] : undefined;
  const request = body ? parse(body) : null;
  const question = request?.messages?.findLast(({ role }) => role === "user")?.content;
  if (!request || typeof question !== "string") {
    return null;
  }
  const { model, citations = {} } = request;
  const settings = {
    ...(typeof model === "string" && { model }),
    ...Object.fromEntries(
      Object.entries(citations).map(([name, value]) => [name, toSetting(value)]),
    ),
  };
  const bytes = new TextEncoder().encode(JSON.stringify({ question, settings, rival: null }));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `/playground#try=${encodeURIComponent(text)}`;
}

function parse(body: string): ChatRequest | null {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/** Numbers are text there, as they are typed. */
function toSetting(value: unknown): unknown {
  return typeof value === "number" ? String(value) : value;
}
