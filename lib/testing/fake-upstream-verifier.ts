import { VERIFIER_ROLE } from "@/lib/answers/citations/model-prompt";
import { processSingleton } from "@/lib/singleton";
import type { DelimitedSource } from "@/lib/text/delimiters";
import { parseDelimitedSources } from "./parse-sources";

/** A verification request to the scripted upstream. */
export interface VerifierQuestion {
  claim: string;
  /** The passages in the prompt. */
  sources: DelimitedSource[];
  /** Everything outside the fences and the claim: what a model that respects the fences obeys. */
  instructions: string;
  /** The whole prompt: what a model that ignores the fences obeys. */
  prompt: string;
}

/** A response object, its text, or a script as in a user message; undefined: the default response. */
export type VerifierScript = (question: VerifierQuestion) => object | string | undefined;

const verifier = processSingleton(
  "verifier script",
  (): { script?: VerifierScript | undefined } => ({}),
);

/** Sets how the scripted upstream judges claims; null: the default, every claim is supported. */
export function scriptVerifier(script: VerifierScript | null): void {
  verifier.script = script ?? undefined;
}

interface Message {
  role: string;
  content?: unknown;
}

/** The script for a verification request; null for any other request. */
export function verifierScriptOf(messages: readonly Message[] = []): object | null {
  const [first] = messages;
  if (first?.role !== "system" || !String(first.content).startsWith(VERIFIER_ROLE)) {
    return null;
  }
  const question = readQuestion(messages.map(({ content }) => String(content)).join("\n\n"));
  const answer = verifier.script?.(question) ?? supported(question);
  if (typeof answer === "string") {
    return { text: answer };
  }
  return "verdict" in answer ? { text: JSON.stringify(answer) } : answer;
}

function readQuestion(prompt: string): VerifierQuestion {
  const line = /^Claim: (".*")$/m.exec(prompt)?.[1] ?? '""';
  const fences = /<source id="\d+" nonce="([a-z0-9]+)">[\s\S]*?<\/source nonce="\1">/g;
  return {
    claim: JSON.parse(line),
    sources: parseDelimitedSources(prompt),
    instructions: prompt.replace(fences, "").replace(line, ""),
    prompt,
  };
}

function supported({ sources }: VerifierQuestion): object {
  return {
    verdict: "supported",
    reason: null,
    sources: sources.map(({ number }) => ({ id: number, verdict: "supported" })),
    quotes: [],
  };
}
