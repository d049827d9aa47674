import { createParser } from "eventsource-parser";
import { malformed } from "./upstream-error";

/** One event may contain an image or a file's text. */
const MAX_EVENT_CHARACTERS = 16 * 1024 * 1024;

/** The data of the events that each piece completes. */
export function createEventReader() {
  const utf8 = new TextDecoder();
  let events: string[] = [];
  let isTooLong = false;
  const parser = createParser({
    onEvent: ({ data }) => events.push(data),
    onError: ({ type }) => {
      isTooLong ||= type === "max-buffer-size-exceeded";
    },
    maxBufferSize: MAX_EVENT_CHARACTERS,
  });
  const take = (feed: () => void): readonly string[] => {
    events = [];
    feed();
    if (isTooLong) {
      throw malformed();
    }
    return events;
  };
  return {
    read: (piece: Uint8Array) => take(() => parser.feed(utf8.decode(piece, { stream: true }))),
    end: () => take(() => parser.reset({ consume: true })),
  };
}
