import type pg from "pg";

const SIGNATURE = Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1");
const MESSAGE_BYTES = 1 << 18;
const INT4 = 23;
const TEXT = 25;

/** Methods of pg's connection for COPY that its types omit. */
interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  stream: { writableNeedDrain: boolean; once(event: "drain", listener: () => void): void };
}

/** Writes rows to a table with binary COPY. */
export class BinaryCopy {
  private buffer = Buffer.allocUnsafe(2 * MESSAGE_BYTES);
  private used = 0;
  private connection: CopyConnection | undefined;
  private readonly done = Promise.withResolvers<void>();
  private readonly ready = Promise.withResolvers<void>();

  /** Starts a COPY into `columns`, such as `chunk (id, text)`. */
  static async begin(client: pg.Client, columns: string): Promise<BinaryCopy> {
    const copy = new BinaryCopy();
    client.query({
      submit: (connection: unknown) => {
        copy.connection = connection as CopyConnection;
        copy.connection.query(`COPY ${columns} FROM STDIN (FORMAT binary)`);
      },
      handleCopyInResponse: () => copy.ready.resolve(),
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => copy.done.resolve(),
      handleError: (error: Error) => {
        copy.ready.reject(error);
        copy.done.reject(error);
      },
    } as unknown as pg.Submittable);
    copy.done.promise.catch(() => undefined);
    await copy.ready.promise;
    copy.bytes(SIGNATURE);
    return copy;
  }

  /** Starts a row with this many fields. Waits for backpressure. */
  async row(fields: number): Promise<void> {
    if (this.used > MESSAGE_BYTES) {
      await this.flush();
    }
    this.int16(fields);
  }

  text(value: string | null): void {
    if (value === null) {
      this.int32(-1);
      return;
    }
    const length = Buffer.byteLength(value);
    this.int32(length);
    this.reserve(length);
    this.used += this.buffer.write(value, this.used);
  }

  int4(value: number): void {
    this.int32(4);
    this.int32(value);
  }

  int4s(values: readonly number[]): void {
    this.int32(20 + 8 * values.length);
    for (const head of [1, 0, INT4, values.length, 1]) {
      this.int32(head);
    }
    for (const value of values) {
      this.int4(value);
    }
  }

  noTexts(): void {
    this.int32(12);
    for (const head of [0, 0, TEXT]) {
      this.int32(head);
    }
  }

  halfvec(values: Float32Array): void {
    const halves = new Uint16Array(Float16Array.from(values).buffer);
    this.int32(4 + 2 * halves.length);
    this.int16(halves.length);
    this.int16(0);
    for (const half of halves) {
      this.int16(half);
    }
  }

  /** Dimensions are 1-based, as in pgvector's text format. */
  sparsevec(space: number, dimensions: readonly number[], values: readonly number[]): void {
    this.int32(12 + 8 * values.length);
    for (const head of [space, values.length, 0]) {
      this.int32(head);
    }
    for (const dimension of dimensions) {
      this.int32(dimension - 1);
    }
    this.reserve(4 * values.length);
    for (const value of values) {
      this.used = this.buffer.writeFloatBE(value, this.used);
    }
  }

  async end(): Promise<void> {
    this.int16(0xffff);
    await this.flush();
    this.connection?.endCopyFrom();
    await this.done.promise;
  }

  private async flush(): Promise<void> {
    const { connection } = this;
    connection?.sendCopyFromChunk(this.buffer.subarray(0, this.used));
    this.buffer = Buffer.allocUnsafe(2 * MESSAGE_BYTES);
    this.used = 0;
    if (connection?.stream.writableNeedDrain) {
      const drained = new Promise<void>((resolve) => connection.stream.once("drain", resolve));
      await Promise.race([drained, this.done.promise]);
    }
  }

  private bytes(value: Buffer): void {
    this.reserve(value.length);
    this.used += value.copy(this.buffer, this.used);
  }

  private int16(value: number): void {
    this.reserve(2);
    this.used = this.buffer.writeUInt16BE(value, this.used);
  }

  private int32(value: number): void {
    this.reserve(4);
    this.used = this.buffer.writeInt32BE(value, this.used);
  }

  private reserve(bytes: number): void {
    if (this.used + bytes > this.buffer.length) {
      const larger = Buffer.allocUnsafe(2 * (this.used + bytes));
      this.buffer.copy(larger, 0, 0, this.used);
      this.buffer = larger;
    }
  }
}
