import { REWRITER_ROLE } from "@/lib/answers/chat/rewriter-prompt";
import { processSingleton } from "@/lib/singleton";

/** The rewritten question, or a script as in a user message, for the conversation in the prompt. */
export type RewriterScript = (conversation: string) => object | string;

const rewriter = processSingleton(
  "rewriter script",
  (): { script?: RewriterScript | undefined } => ({}),
);

/** Sets how the scripted upstream rewrites questions; null: the default. */
export function scriptRewriter(script: RewriterScript | null): void {
  rewriter.script = script ?? undefined;
}

interface Message {
  role: string;
  content?: unknown;
}

/** The script for a rewriting request; null for any other request. */
export function rewriterScriptOf(messages: readonly Message[] = []): object | null {
  const [first, second] = messages;
  if (!String(first?.content).startsWith(REWRITER_ROLE)) {
    return null;
  }
  const answer = rewriter.script?.(String(second?.content)) ?? "How is asthma treated?";
  return typeof answer === "string" ? { text: answer } : answer;
}
