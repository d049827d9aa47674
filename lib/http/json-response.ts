import { FastResponse } from "srvx";

interface Head {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
}

/** What a Node host can send in one write. */
interface Buffered extends Head {
  text: string;
}

export interface BufferedResponse extends Response {
  readonly buffered: Buffered;
}

/** A JSON Response that creates its web stream and Headers object only on access. */
export function jsonResponse(value: unknown, { status, headers }: Head): BufferedResponse {
  const text = JSON.stringify(value);
  const buffered = {
    text,
    status,
    headers: { "content-type": "application/json", ...headers },
  };
  return Object.assign(new FastResponse(text, buffered), { buffered });
}
