import { VERIFIER_ROLE } from "@/lib/citations/verdict/model-prompt";
import { processSingleton } from "@/lib/singleton";
import { type DelimitedSource, parseDelimitedSources } from "@/lib/text/delimiters";

/** What the scripted upstream is asked when it is to judge a claim. */
export interface VerifierQuestion {
  claim: string;
  /** The passages as the model sees them. */
  sources: DelimitedSource[];
  /** All that stands outside of the fences and the claim: what a model that heeds them obeys. */
  instructions: string;
  /** All of it: what a model that heeds nothing obeys. */
  prompt: string;
}

/** An answer as an object, its text, or a script as in a last user message; undefined: the usual answer. */
export type VerifierScript = (question: VerifierQuestion) => object | string | undefined;

const verifier = processSingleton(
  "verifier script",
  (): { script?: VerifierScript | undefined } => ({}),
);

/** Tells the scripted upstream how to judge from now on; null: every claim is supported, as at first. */
export function scriptVerifier(script: VerifierScript | null): void {
  verifier.script = script ?? undefined;
}

interface Message {
  role: string;
  content?: unknown;
}

/** The script of a request that asks for a judgement; null for any other. */
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
