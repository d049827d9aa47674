/** The fields in which models send what they generate; each of them is paid for. */
const TEXT_FIELDS = ["content", "refusal", "reasoning_content", "reasoning"];

/** All that a message or a delta holds of generated text: answer, refusal, reasoning, calls' names and arguments. */
export function generatedText(message: Record<string, unknown>): string {
  const texts = TEXT_FIELDS.map((field) => message[field]);
  const calls = [message.tool_calls, message.function_call].flat().flatMap(callTexts);
  return [...texts, ...calls].filter((text) => typeof text === "string").join("");
}

function callTexts(call: unknown): unknown[] {
  if (typeof call !== "object" || call === null) {
    return [];
  }
  const {
    function: called,
    custom,
    name,
    arguments: given,
    input,
  } = call as Record<string, unknown>;
  return [name, given, input, ...callTexts(called), ...callTexts(custom)];
}
