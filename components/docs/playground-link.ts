/** What the playground can start with. The names are those of its settings, and their values text or switches. */
interface ChatRequest {
  model?: unknown;
  messages?: { role?: unknown; content?: unknown }[];
  citations?: Record<string, unknown>;
}

const BODY = /-d '(\{[\s\S]*\})'/;
/** Of Python and TypeScript. */
const CALL = /\bchat\.completions\.create\(/;
const MODEL = /\bmodel"?[:=] ?"([^"]+)"/;
const QUESTION = /\brole"?: "user"(?: as const)?, "?content"?: "([^"]+)"/g;
const CITATIONS = /\bcitations"?: (\{[^{}]*\})/;

/**
 * The playground's address with the question of a chat completion, as a curl command or a call of OpenAI's client; null
 * for any other code. It is in the fragment, which browsers don't send to the server, in the form that
 * `components/playground` reads.
 */
export function playgroundLink(code: string): string | null {
  const request = readRequest(code);
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

function readRequest(code: string): ChatRequest | null {
  const body = code.includes("/v1/chat/completions") ? BODY.exec(code)?.[1] : undefined;
  if (body) {
    return parse(body);
  }
  if (!CALL.test(code)) {
    return null;
  }
  const citations = CITATIONS.exec(code)?.[1];
  return {
    model: MODEL.exec(code)?.[1],
    messages: [...code.matchAll(QUESTION)].map(([, content]) => ({ role: "user", content })),
    citations: (citations && parse(toJson(citations))) || {},
  };
}

/** An object of Python or TypeScript without nested ones. */
function toJson(literal: string): string {
  return literal
    .replaceAll(/([{,]\s*)(\w+):/g, '$1"$2":')
    .replaceAll(/\bTrue\b/g, "true")
    .replaceAll(/\bFalse\b/g, "false")
    .replaceAll(/,(\s*\})/g, "$1");
}

function parse<T extends object>(json: string): T | null {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/** Numbers are text there, as they are typed. */
function toSetting(value: unknown): unknown {
  return typeof value === "number" ? String(value) : value;
}
