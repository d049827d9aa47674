import "server-only";

const SIGNATURE = Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1");
const TRAILER = Buffer.from([0xff, 0xff]);
const INITIAL_BYTES = 1 << 14;
const INT4 = 23;
const TEXT = 25;
const NULL = -1;
/** The only version of jsonb's binary format. */
const JSONB_VERSION = 1;
/** PostgreSQL's epoch; it counts in microseconds. */
const EPOCH_MS = Date.UTC(2000, 0, 1);

/** A table's columns, each with how it is written. */
export type CopyColumns<T> = Record<string, (rows: CopyRows, value: T) => void>;

/** Encodes rows in PostgreSQL's binary COPY format, so that neither side formats or parses numbers. */
export class CopyRows {
  private buffer = Buffer.alloc(0);
  private view = viewOf(this.buffer);
  private used = 0;

  /** Starts a row. Its fields follow in the order of the columns. */
  row(fields: number): void {
    this.reserve(2);
    this.view.setInt16(this.used, fields);
    this.used += 2;
  }

  /** Writes a whole row. */
  add<T>(columns: CopyColumns<T>, value: T): void {
    const fields = Object.values(columns);
    this.row(fields.length);
    for (const write of fields) {
      write(this, value);
    }
  }

  text(value: string | null): void {
    this.nullable(value, (text) => this.characters(text));
  }

  int4(value: number | null): void {
    this.nullable(value, (number) => this.int32(number));
  }

  timestamptz(value: Date | null): void {
    this.nullable(value, (date) => {
      this.reserve(8);
      this.view.setBigInt64(this.used, BigInt(date.getTime() - EPOCH_MS) * 1000n);
      this.used += 8;
    });
  }

  bytea(value: Uint8Array): void {
    this.int32(value.byteLength);
    this.reserve(value.byteLength);
    this.buffer.set(value, this.used);
    this.used += value.byteLength;
  }

  jsonb(value: unknown): void {
    this.sized(() => {
      this.reserve(1);
      this.used = this.buffer.writeUInt8(JSONB_VERSION, this.used);
      this.characters(JSON.stringify(value));
    });
  }

  texts(values: readonly string[]): void {
    this.sized(() => {
      this.arrayHead(TEXT, values.length);
      for (const value of values) {
        this.text(value);
      }
    });
  }

  int4s(values: readonly number[]): void {
    this.sized(() => {
      this.arrayHead(INT4, values.length);
      this.reserve(8 * values.length);
      const { view } = this;
      for (let index = 0; index < values.length; index += 1) {
        view.setInt32(this.used, 4);
        view.setInt32(this.used + 4, values[index] ?? 0);
        this.used += 8;
      }
    });
  }

  /** `dimensions` ascend and count from 1, as in pgvector's text format. No value may be 0. */
  sparsevec(space: number, dimensions: readonly number[], values: readonly number[]): void {
    const count = dimensions.length;
    this.int32(12 + 8 * count);
    this.int32(space);
    this.int32(count);
    this.int32(0);
    this.reserve(8 * count);
    const { view, used } = this;
    for (let index = 0; index < count; index += 1) {
      view.setInt32(used + 4 * index, (dimensions[index] ?? 0) - 1);
      view.setFloat32(used + 4 * (count + index), values[index] ?? 0);
    }
    this.used += 8 * count;
  }

  /** Returns the rows so far, for `copyFile`, and starts again without them. */
  take(): Buffer<ArrayBuffer> {
    const rows = this.buffer.subarray(0, this.used);
    this.buffer = Buffer.alloc(0);
    this.view = viewOf(this.buffer);
    this.used = 0;
    return rows;
  }

  private arrayHead(element: number, count: number): void {
    this.int32(count > 0 ? 1 : 0);
    this.int32(0);
    this.int32(element);
    if (count > 0) {
      this.int32(count);
      this.int32(1);
    }
  }

  private nullable<T>(value: T | null, write: (value: T) => void): void {
    if (value === null) {
      this.int32(NULL);
    } else {
      this.sized(() => write(value));
    }
  }

  /** A field after its length, which is filled in once it is known. */
  private sized(write: () => void): void {
    const start = this.used;
    this.int32(0);
    write();
    this.view.setInt32(start, this.used - start - 4);
  }

  private characters(value: string): void {
    this.reserve(Buffer.byteLength(value));
    this.used += this.buffer.write(value, this.used);
  }

  private int32(value: number): void {
    this.reserve(4);
    this.view.setInt32(this.used, value);
    this.used += 4;
  }

  private reserve(bytes: number): void {
    if (this.used + bytes > this.buffer.length) {
      const least = Math.max(INITIAL_BYTES, 2 * this.buffer.length);
      const larger = Buffer.allocUnsafe(Math.max(least, this.used + bytes));
      this.buffer.copy(larger, 0, 0, this.used);
      this.buffer = larger;
      this.view = viewOf(larger);
    }
  }
}

/** The input of COPY, from the results of `take`. */
export function copyFile(parts: readonly Buffer[]): Buffer<ArrayBuffer> {
  return Buffer.concat([SIGNATURE, ...parts, TRAILER]);
}

function viewOf(buffer: Buffer): DataView {
  return new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}
