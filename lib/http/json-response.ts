import { FastResponse } from "srvx";

interface Head {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
}

/** A Response of JSON, which a host on Node sends without a web stream and a set of headers between. */
export function jsonResponse(value: unknown, { status, headers }: Head): Response {
  return new FastResponse(JSON.stringify(value), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}
