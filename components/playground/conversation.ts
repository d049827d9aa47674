import { type Answer, NO_ANSWER } from "./answer";
import type { Failure } from "./ask";
import { type Message, type RequestBody, type Settings, toRequest } from "./settings";

/** A request and its result. */
export interface Run {
  preset: Settings["preset"];
  request: RequestBody;
  state: "waiting" | "done" | "stopped" | "failed";
  answer: Answer;
  failure: Failure | null;
}

/** A question with its answer, and with the answer that it is compared to. */
export interface Turn extends Run {
  id: string;
  question: string;
  rival?: Run | undefined;
}

/** Which of two compared answers, or of their settings: A is `main`. */
export type Side = "main" | "rival";

/** What a member sees and types. */
export interface PlaygroundState {
  settings: Settings;
  /** The settings to compare with; null unless two are compared. */
  rival: Settings | null;
  /** Names the conversation in the history. */
  id: string;
  turns: readonly Turn[];
  /** The draft question. */
  draft: string;
}

export function newTurn(
  id: string,
  question: string,
  said: Omit<PlaygroundState, "id" | "draft">,
): Turn {
  const { settings, rival, turns } = said;
  return {
    id,
    question,
    ...newRun(settings, question, toMessages(turns, "main")),
    ...(rival && { rival: newRun(rival, question, toMessages(turns, "rival")) }),
  };
}

function newRun(settings: Settings, question: string, before: readonly Message[]): Run {
  return {
    preset: settings.preset,
    request: toRequest(settings, [...before, { role: "user", content: question }]),
    state: "waiting",
    answer: NO_ANSWER,
    failure: null,
  };
}

/** A finished turn of a request that is replayed. */
export function pastTurn(
  id: string,
  settings: Settings,
  pair: { question: string; answer: string },
): Turn {
  const run = newRun(settings, pair.question, []);
  const answer = { ...NO_ANSWER, content: pair.answer };
  return { ...run, id, question: pair.question, state: "done", answer };
}

/** The result of one side. Earlier turns, which weren't compared, belong to both. */
export function runOf(turn: Turn, side: Side): Run {
  return side === "rival" ? (turn.rival ?? turn) : turn;
}

export function isWaiting(turn: Turn | undefined): boolean {
  return turn?.state === "waiting" || turn?.rival?.state === "waiting";
}

/** The message history of one side: every question with at least a partial answer. */
function toMessages(turns: readonly Turn[], side: Side): Message[] {
  return turns.flatMap((turn) => {
    const { answer, state } = runOf(turn, side);
    return answer.content && state !== "failed"
      ? [
          { role: "user" as const, content: turn.question },
          { role: "assistant" as const, content: answer.content },
        ]
      : [];
  });
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
    rival: value.rival ? { ...defaults, ...value.rival } : null,
    id: value.id ?? newConversationId(),
    // A reload stops a request in progress.
    turns: stopTurns(value.turns),
    draft: typeof value.draft === "string" ? value.draft : "",
  };
}

export function newConversationId(): string {
  return `${Date.now()}-${Math.random().toString(36).slice(2)}`;
}

/** Marks turns in progress as stopped. */
export function stopTurns(turns: readonly Turn[]): Turn[] {
  return turns.map((turn) => ({
    ...stopRun(turn),
    ...(turn.rival && { rival: stopRun(turn.rival) }),
  }));
}

function stopRun<R extends Run>(run: R): R {
  return run.state === "waiting" ? { ...run, state: "stopped" } : run;
}

function parse(text: string | null): Partial<SavedConversation> | null {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}
