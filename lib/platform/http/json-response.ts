import { FastResponse } from "srvx";

/** Header names are in lower case. */
interface Head {
  status: number;
  headers: Record<string, string>;
}

/** `buffered`: what a Node host can send in one write. */
export type BufferedResponse = Response & { readonly buffered: Head & { text: string } };

/** A JSON Response that creates its web stream and Headers object only on access. */
export function jsonResponse(value: unknown, { status, headers }: Head): BufferedResponse {
  const text = JSON.stringify(value);
  const buffered = { text, status, headers: { "content-type": "application/json", ...headers } };
  return Object.assign(new FastResponse(text, buffered), { buffered });
}
