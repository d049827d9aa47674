import { FastResponse } from "srvx";

interface Head {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
}

/** What a host on Node can send as it is, in one write. */
interface Whole extends Head {
  text: string;
}

/** A Response that is there as a whole. */
export interface BufferedResponse extends Response {
  readonly whole: Whole;
}

/** A Response of JSON, without a web stream and a set of headers unless somebody asks for them. */
export function jsonResponse(value: unknown, { status, headers }: Head): BufferedResponse {
  const text = JSON.stringify(value);
  const whole = {
    text,
    status,
    headers: { "content-type": "application/json", ...headers },
  };
  return Object.assign(new FastResponse(text, whole), { whole });
}
