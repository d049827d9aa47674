import type { ServerResponse } from "node:http";

/** The call that the scripted upstream makes. */
export const TOOL_CALLS = [
  {
    id: "call_1",
    type: "function",
    function: { name: "get_weather", arguments: '{"city":"Bern"}' },
  },
];

/** The deltas of a stream. */
export function deltasOf(
  { deltas, tools }: { deltas?: readonly object[]; tools?: boolean },
  text: string,
): readonly object[] {
  const calls = TOOL_CALLS.map((call, index) => ({ index, ...call }));
  const words = (text.match(/\S+\s*/g) ?? []).map((content) => ({ content }));
  return deltas ?? (tools ? [{ tool_calls: calls }] : words);
}

/** A stream of the script's chunks as they are. */
export function sendChunks(
  response: ServerResponse,
  _body: object,
  { chunks = [] }: { chunks?: readonly object[] },
): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const choice of chunks) {
    const frame = { id: "chatcmpl-upstream", object: "chat.completion.chunk", created: 1 };
    response.write(`data: ${JSON.stringify({ ...frame, choices: [choice] })}\n\n`);
  }
  response.end("data: [DONE]\n\n");
}
