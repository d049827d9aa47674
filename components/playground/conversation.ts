import { type Answer, NO_ANSWER } from "./answer";
import type { Failure } from "./failure";
import { type Message, type RequestBody, type Settings, toRequest } from "./settings";

/** A question, its request and the result. */
export interface Turn {
  id: string;
  question: string;
  preset: Settings["preset"];
  request: RequestBody;
  state: "waiting" | "done" | "stopped" | "failed";
  answer: Answer;
  failure: Failure | null;
}

/** A new turn that follows the earlier ones. */
export function newTurn(id: string, question: string, said: Said): Turn {
  const messages = [...toMessages(said.turns), { role: "user" as const, content: question }];
  return {
    id,
    question,
    preset: said.settings.preset,
    request: toRequest(said.settings, messages),
    state: "waiting",
    answer: NO_ANSWER,
    failure: null,
  };
}

interface Said {
  turns: readonly Turn[];
  settings: Settings;
}

/** The message history: every question with at least a partial answer. */
function toMessages(turns: readonly Turn[]): Message[] {
  return turns.flatMap(({ question, answer, state }) =>
    answer.content && state !== "failed"
      ? [
          { role: "user" as const, content: question },
          { role: "assistant" as const, content: answer.content },
        ]
      : [],
  );
}

/** A conversation and its settings, as stored for the tab. */
interface SavedConversation {
  owner: string;
  settings: Settings;
  turns: Turn[];
  draft: string;
}

/** Restores this member's conversation; null when the stored value is someone else's or malformed. */
export function restoreConversation(
  text: string | null,
  owner: string,
  defaults: Settings,
): SavedConversation | null {
  const value = parse(text);
  if (value?.owner !== owner || !Array.isArray(value.turns)) {
    return null;
  }
  return {
    owner,
    settings: { ...defaults, ...value.settings },
    // A reload stops a request in progress.
    turns: value.turns.map((turn) =>
      turn.state === "waiting" ? { ...turn, state: "stopped" as const } : turn,
    ),
    draft: typeof value.draft === "string" ? value.draft : "",
  };
}

function parse(text: string | null): Partial<SavedConversation> | null {
  try {
    const value: unknown = JSON.parse(text ?? "null");
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}
