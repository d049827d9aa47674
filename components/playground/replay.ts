import type { StoredForConsole, StoredMessage } from "@/lib/answers/chat/stored-schema";
import type { PlaygroundPreset } from "@/lib/money/keys/playground";

/** A stored request to send again: what was asked, and of which model. Its other settings weren't stored. */
export interface Replay {
  requestId: string;
  model: string;
  preset: PlaygroundPreset;
  isCited: boolean;
  system: string;
  /** Questions before the last, each with its answer. */
  earlier: { question: string; answer: string }[];
  question: string;
}

type Shown = Extract<StoredForConsole, { access: "shown" }>;

/** Reads a stored answer's request. Images and tool calls are left out. */
export function toReplay({ completion, messages }: Shown): Replay {
  const textOf = (...roles: string[]) =>
    messages.filter(({ role }) => roles.includes(role)).map(formatText);
  const isPersonal = completion.evidence.some(({ scope }) => scope === "personal_kb");
  return {
    requestId: completion.request_id,
    model: completion.model,
    preset: isPersonal ? "personal" : "company",
    isCited: completion.citations !== undefined,
    system: textOf("system", "developer").join("\n\n"),
    earlier: toPairs(messages),
    question: textOf("user").at(-1) ?? "",
  };
}

/** Answers under the question before them; a question without an answer is left out. */
function toPairs(messages: readonly StoredMessage[]): Replay["earlier"] {
  let question = "";
  return messages.flatMap((message) => {
    const text = formatText(message);
    if (message.role === "user") {
      question = text;
    }
    if (message.role !== "assistant" || !question || !text) {
      return [];
    }
    const pair = { question, answer: text };
    question = "";
    return [pair];
  });
}

function formatText({ content, content_parts }: StoredMessage): string {
  return (
    content ??
    (content_parts ?? []).flatMap(({ text }) => (typeof text === "string" ? text : [])).join("\n")
  );
}
