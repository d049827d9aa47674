import type { ModelRequest } from "../schema";
import { isFields, withUsage } from "./openai-answer";
import { moveToolMedia, toOriginalPositions } from "./tool-media";

/** How an upstream is asked, and how its answers become those of a chat completion, which the callers check. */
export interface Wire {
  /** Below the upstream's base URL. */
  path: "chat/completions" | "responses";
  /** Throws invalid_request for a field that the upstream's API doesn't have. */
  toBody: (request: ModelRequest & { stream: boolean }) => object;
  /** Names fields in an error's text as the request does. */
  toRequestTerms: (text: string, request: ModelRequest) => string;
  toCompletion: (answer: unknown) => unknown;
  /** The usage that an answer or event reports, whatever else it says. */
  toUsage: (value: unknown) => unknown;
  /** Reads one stream: returns the chunks of each event. */
  createReader: () => (event: unknown) => readonly unknown[];
}

/** OpenAI's chat completions, which most upstreams speak. */
export const chatWire: Wire = {
  path: "chat/completions",
  toBody: (request) => ({ ...request, messages: moveToolMedia(request.messages).messages }),
  toRequestTerms: (text, { messages }) => toOriginalPositions(text, messages),
  toCompletion: withUsage,
  toUsage: (value) => {
    const answer = withUsage(value);
    return isFields(answer) ? (answer.usage ?? null) : null;
  },
  createReader: () => (event) => [withUsage(event)],
};
