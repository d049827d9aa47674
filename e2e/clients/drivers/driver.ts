import { inject } from "vitest";

/** How a client reaches the product in one test. */
export interface Connection {
  model: string;
  /** The test key, if left out. */
  key?: string;
  /** Searches public_kb in the way that the client offers. */
  isCited?: boolean;
  /** What the client calls instructions or a system message. */
  instructions?: string;
}

/** An answer as a client returns it. */
export interface Answer {
  text: string;
  /** Everything that the client returned. */
  result: unknown;
  /** Input and output tokens. */
  usage: [input: number, output: number] | null;
}

export interface Listening {
  signal: AbortSignal;
  onText: (piece: string) => void;
}

/** One way to use one client, as its documentation shows it. */
export interface Driver {
  /** The package in node_modules. */
  package: string;
  /** The API of the client. */
  api: string;
  /** False for a client that reads an answer to its end, whatever its caller does. */
  canStop?: false;
  ask(connection: Connection, question: string): Promise<Answer>;
  stream(connection: Connection, question: string, listening: Listening): Promise<Answer>;
  /** Asks one question after the other, with the history that the client keeps itself. Returns the texts. */
  converse(connection: Connection, questions: readonly string[]): Promise<string[]>;
}

export const baseURL = inject("baseUrl");
export const testKey = inject("apiKey");

/** The stock tool that is cited retrieval. */
export const FILE_SEARCH = { type: "file_search" as const, vector_store_ids: ["public_kb"] };
export const WITH_RESULTS = ["file_search_call.results" as const];
