import { type Answer, NO_ANSWER } from "./answer";
import type { Failure } from "./ask";
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

/** What a member sees and types. */
export interface PlaygroundState {
  settings: Settings;
  turns: readonly Turn[];
  /** The draft question. */
  draft: string;
}

export function newTurn(id: string, question: string, said: Omit<PlaygroundState, "draft">): Turn {
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

/** As stored for the tab. */
interface SavedConversation extends PlaygroundState {
  owner: string;
}

/** Restores this member's conversation; null when the stored value is someone else's or malformed. */
export function restoreConversation(
  text: string | null,
  owner: string,
  defaults: Settings,
): PlaygroundState | null {
  const value = parse(text);
  if (value?.owner !== owner || !Array.isArray(value.turns)) {
    return null;
  }
  return {
    settings: { ...defaults, ...value.settings },
    // A reload stops a request in progress.
    turns: stopTurns(value.turns),
    draft: typeof value.draft === "string" ? value.draft : "",
  };
}

/** Marks turns in progress as stopped. */
export function stopTurns(turns: readonly Turn[]): Turn[] {
  return turns.map((turn) => (turn.state === "waiting" ? { ...turn, state: "stopped" } : turn));
}

function parse(text: string | null): Partial<SavedConversation> | null {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}
