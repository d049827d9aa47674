/** What the fields of a request are called in the endpoint that took it. */
export interface FieldNames {
  messages: string;
  responseFormat: string;
  /** How a request asks for a search, as the beginning of a sentence; null if this one did. */
  search: string | null;
}

export const CHAT_FIELDS: FieldNames = {
  messages: "messages",
  responseFormat: "response_format",
  search: "Turn on `citations`",
};
