import { READY, SEARCH_FUNCTION_NAME, SEARCHER_ROLE } from "@/lib/answers/chat/searcher-prompt";
import { processSingleton } from "@/lib/singleton";

/** The arguments of the searches to call for, the text to write, or a script as in a user message, for the prompt. */
export type SearcherScript = (
  prompt: string,
) => object[] | string | { status: number; delayMs?: number };

const searcher = processSingleton(
  "searcher script",
  (): { script?: SearcherScript | undefined } => ({}),
);

/** Sets what the scripted upstream wants to search; null: nothing. */
export function scriptSearcher(script: SearcherScript | null): void {
  searcher.script = script ?? undefined;
}

/** The script for a request that decides what to search; null for any other request. */
export function searcherScriptOf(
  messages: readonly { role: string; content?: unknown }[] = [],
): object | null {
  const [first, second] = messages;
  if (!String(first?.content).startsWith(SEARCHER_ROLE)) {
    return null;
  }
  const wanted = searcher.script?.(String(second?.content)) ?? [];
  if (typeof wanted === "object" && !Array.isArray(wanted)) {
    return wanted;
  }
  if (typeof wanted === "string" || wanted.length === 0) {
    return toChoice({ content: String(wanted) || READY });
  }
  const tool_calls = wanted.map((search, index) => ({
    id: `call_${index}`,
    type: "function",
    function: { name: SEARCH_FUNCTION_NAME, arguments: JSON.stringify(search) },
  }));
  return toChoice({ content: null, tool_calls });
}

function toChoice(message: object): object {
  const choice = { index: 0, finish_reason: "stop", message: { role: "assistant", ...message } };
  return { choices: [choice] };
}
