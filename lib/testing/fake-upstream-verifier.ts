import { VERIFIER_ROLE } from "@/lib/answers/citations/model-prompt";
import { processSingleton } from "@/lib/singleton";
import type { DelimitedSource } from "@/lib/text/delimiters";
import { parseDelimitedSources } from "./parse-sources";

/** A claim of a verification request to the scripted upstream. */
export interface VerifierQuestion {
  claim: string;
  /** The numbers of its sources. */
  ids: number[];
  /** The sources in the prompt. */
  sources: DelimitedSource[];
  /** Everything outside the fences and the claims: what a model that respects the fences obeys. */
  instructions: string;
  /** The whole prompt: what a model that ignores the fences obeys. */
  prompt: string;
}

/**
 * The judgement of a claim, with a `verdict`; or, asked about the first claim, the whole response: an object, its text, or a
 * script as in a user message. Undefined: the default.
 */
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
  const questions = readQuestions(messages.map(({ content }) => String(content)).join("\n\n"));
  const answers = questions.map((question) => verifier.script?.(question) ?? supported(question));
  const [response = {}] = answers;
  if (typeof response === "string") {
    return { text: response };
  }
  const claims = answers.map((answer, at) => ({ claim: at + 1, ...Object(answer) }));
  return "verdict" in response ? { text: JSON.stringify({ claims }) } : response;
}

function readQuestions(prompt: string): VerifierQuestion[] {
  const listed = [...prompt.matchAll(/^\d+\. Sources? ([\d and]+): (".*")$/gm)];
  const fences = /<source id="\d+" nonce="([a-z0-9]+)">[\s\S]*?<\/source nonce="\1">/g;
  const instructions = listed.reduce(
    (rest, [line]) => rest.replace(line, ""),
    prompt.replace(fences, ""),
  );
  const sources = parseDelimitedSources(prompt);
  return listed.map(([, ids = "", claim = '""']) => ({
    claim: JSON.parse(claim),
    ids: ids.split(" and ").map(Number),
    ...{ sources, instructions, prompt },
  }));
}

/** A judgement with the beginning of a source as its quote. */
function supported({ ids, sources }: VerifierQuestion): object {
  const source = sources.find(({ number }) => number === ids[0]);
  return { verdict: "supported", reason: "none", quote: source?.text.slice(0, 200) ?? "" };
}
