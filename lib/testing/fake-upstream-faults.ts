import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";

/** The faults that a script can name in `fault`; `isStream` comes from the request. */
type Fault = (response: ServerResponse, isStream: boolean) => void;

const CHUNK = { id: "chatcmpl-upstream", object: "chat.completion.chunk", created: 1, model: "m" };
const MEGABYTE = 1024 * 1024;
const HTML = "<!doctype html><title>Sign in to the network</title>";

/** A megabyte of text without spaces. */
export const LARGE_TEXT = "x".repeat(MEGABYTE);

function event(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }];
  return `data: ${JSON.stringify({ ...CHUNK, choices })}\n\n`;
}

function whole(content: string): string {
  return JSON.stringify({
    ...CHUNK,
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: { prompt_tokens: 100, completion_tokens: 5 },
  });
}

const USAGE = `data: ${JSON.stringify({
  ...CHUNK,
  choices: [],
  usage: { prompt_tokens: 100, completion_tokens: 5 },
})}\n\n`;
const DONE = "data: [DONE]\n\n";

/** The first half of a response, with the text "half of". */
const half = (isStream: boolean) =>
  isStream ? event({ content: "half " }) + event({ content: "of" }) : whole("half of").slice(0, 90);

function begin(response: ServerResponse, isStream: boolean, headers: object = {}): void {
  const type = isStream ? "text/event-stream" : "application/json";
  response.writeHead(200, { "content-type": type, ...headers });
}

/** Responds with these bytes, as a stream or a plain body. */
function answers(stream: string, plain: string): Fault {
  return (response, isStream) => {
    begin(response, isStream);
    response.end(isStream ? stream : plain);
  };
}

export const FAULTS = {
  hangs: () => {},
  "hangs after its head": (response, isStream) => {
    begin(response, isStream);
    response.flushHeaders();
  },
  stalls: (response, isStream) => {
    begin(response, isStream);
    response.write(half(isStream));
  },
  resets: (response) => response.socket?.resetAndDestroy(),
  "resets in the middle": (response, isStream) => {
    begin(response, isStream);
    // Gives the client time to read the first half before the reset discards it.
    response.write(half(isStream), () =>
      setTimeout(() => response.socket?.resetAndDestroy(), 50).unref(),
    );
  },
  "ends in the middle": answers(half(true), half(false)),
  "is no JSON": answers("data: {nonsense\n\n", "{nonsense"),
  "is no JSON in the middle": answers(
    `${half(true)}data: {nonsense\n\n`,
    `${half(false)}{nonsense`,
  ),
  "is one large chunk": answers(
    event({ content: LARGE_TEXT }) + event({}, "stop") + USAGE + DONE,
    whole(LARGE_TEXT),
  ),
  "does not say that it is done": answers(
    event({ content: "all of it" }) + event({}, "stop") + USAGE,
    whole("all of it"),
  ),
  "does not say why it ended": answers(
    event({ content: "all of it" }) + USAGE + DONE,
    whole("all of it"),
  ),
  "is a page": (response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(HTML);
  },
  "is a page of an error": (response) => {
    response.writeHead(503, { "content-type": "text/html" }).end(HTML);
  },
  "is nothing": answers("", ""),
  "has another content type": (response, isStream) => {
    begin(response, isStream, { "content-type": "application/octet-stream" });
    response.end(
      isStream
        ? event({ content: "all of it" }) + event({}, "stop") + USAGE + DONE
        : whole("all of it"),
    );
  },
  "is compressed unasked": (response, isStream) => {
    begin(response, isStream, { "content-encoding": "gzip" });
    response.end(gzipSync(isStream ? event({ content: "x" }) : whole("x")));
  },
  "tells of an error in its stream": answers(
    'data: {"error":{"message":"told in a stream"}}\n\n',
    '{"error":{"message":"told in an answer"}}',
  ),
  "tells of an error in the middle": answers(
    `${half(true)}data: {"error":{"message":"told in a stream"}}\n\n`,
    '{"error":{"message":"told in an answer"}}',
  ),
} satisfies Record<string, Fault>;
