import responses from "./responses.json" with { type: "json" };

/** A response as the product gave it. */
export interface RecordedResponse {
  status: number;
  type: string;
  /** Parsed JSON, text of JSON Lines, or null for a file. */
  body: unknown;
}

export interface Recording {
  /** Absent for an operation that never succeeds. */
  success?: RecordedResponse;
  failure: RecordedResponse;
}

/** Responses of the built product by method and path, written by `npm run record-responses`. */
export const RECORDED = responses as Record<string, Recording>;

/** The response as the reference shows it. */
export function formatResponse({ body, type }: RecordedResponse): string {
  if (typeof body === "string") {
    return body.trimEnd();
  }
  return body === null ? `(${type})` : JSON.stringify(body, null, 2);
}
