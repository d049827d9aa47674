import { SEARCH_FUNCTION, SEARCHER_ROLE } from "@/lib/answers/chat/searcher-prompt";
import { processSingleton } from "@/lib/singleton";

/** The arguments of the searches to call for, or a script as in a user message, for the prompt. */
type SearcherScript = (prompt: string) => object[] | { status: number };

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
  if (!Array.isArray(wanted)) {
    return wanted;
  }
  const tool_calls = wanted.map((search, index) => ({
    id: `call_${index}`,
    type: "function",
    function: { name: SEARCH_FUNCTION.name, arguments: JSON.stringify(search) },
  }));
  const message =
    wanted.length > 0
      ? { role: "assistant", content: null, tool_calls }
      : { role: "assistant", content: "READY" };
  return { choices: [{ index: 0, finish_reason: "stop", message }] };
}
