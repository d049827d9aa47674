import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";

// The thread that runs the embedded PostgreSQL. In development Node strips the types and runs this file directly, so it
// can import only packages.

/** `send` is answered with bytes of PostgreSQL's protocol, its errors included; the others with no bytes, or a welcome. */
export type EmbeddedRequest =
  | { kind: "connect" | "close" }
  | { kind: "send"; bytes: Uint8Array }
  | { kind: "copy"; target: string; rows: Uint8Array<ArrayBuffer> };

/** A request that failed outside the protocol. Sent as data: a copied error would lose its code. */
export interface EmbeddedFailure {
  message: string;
  code?: string;
}

/** `AuthenticationOk`, and `ReadyForQuery` outside a transaction. */
const WELCOME = Uint8Array.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);

const database = new PGlite({ dataDir: workerData as string, extensions: { vector } });

async function answer(request: EmbeddedRequest): Promise<Uint8Array> {
  switch (request.kind) {
    case "connect":
      // All connections share one session: clear what the last one left.
      await database.exec("ROLLBACK");
      await database.exec("DISCARD ALL");
      return WELCOME;
    case "send":
      return database.execProtocolRaw(request.bytes);
    case "copy":
      // PGlite can't read rows from the protocol.
      await database.query(`COPY ${request.target} FROM '/dev/blob' (FORMAT binary)`, [], {
        blob: new Blob([request.rows]),
      });
      return new Uint8Array();
    case "close":
      await database.close();
      return new Uint8Array();
  }
}

parentPort?.on("message", async (request: EmbeddedRequest) => {
  const reply = await answer(request).catch(
    ({ message, code }: EmbeddedFailure): EmbeddedFailure => ({ message, code }),
  );
  parentPort?.postMessage(reply);
  if (request.kind === "close") {
    parentPort?.close();
  }
});
