import { TRANSCRIBER_ROLE } from "@/lib/library/documents/ocr/transcriber-prompt";
import { processSingleton } from "@/lib/singleton";

const transcriber = processSingleton("transcriber script", (): { script?: object } => ({}));

/** Sets how the scripted upstream reads images of pages: a script as in a user message. */
export function scriptTranscriber(script: object): void {
  transcriber.script = script;
}

/** The script for a request to read a page; null for any other request. */
export function transcriberScriptOf(messages: readonly { content?: unknown }[] = []) {
  const isPage = String(messages[0]?.content).startsWith(TRANSCRIBER_ROLE);
  return isPage ? (transcriber.script ?? {}) : null;
}
