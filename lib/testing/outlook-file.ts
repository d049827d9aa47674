import { burn, type Entry } from "@kenjiuno/msgreader/lib/Burner.js";

/** The kinds of entries of a compound file. */
const DIRECTORY = 1;
const STREAM = 2;
const ROOT = 5;
/** In front of the properties of the message itself, and of a recipient or an attachment. */
const MESSAGE_HEADER = 32;
const PART_HEADER = 8;
const MS_FROM_1601 = 11_644_473_600_000;

interface Part {
  /** Texts by their property and type, such as `0037001F` for a subject in Unicode. */
  texts?: Record<string, string | Uint8Array>;
  /** Numbers by their property. */
  numbers?: Record<string, number>;
  times?: Record<string, Date>;
}

/** A message as Outlook saves it. Texts of the type `001F` are written in UTF-16, bytes as they are. */
export function outlookFile({
  recipients = [],
  attachments = [],
  ...message
}: Part & { recipients?: Part[]; attachments?: Part[] }): Uint8Array {
  const entries: Entry[] = [{ name: "Root Entry", type: ROOT, length: 0, children: [] }];
  const add = (parent: number, name: string, bytes: Uint8Array | null) => {
    const index = entries.length;
    entries.push(
      bytes
        ? { name, type: STREAM, length: bytes.length, binaryProvider: () => Uint8Array.from(bytes) }
        : { name, type: DIRECTORY, length: 0, children: [] },
    );
    entries[parent]?.children?.push(index);
    return index;
  };
  const write = (parent: number, part: Part, header: number) => {
    add(parent, "__properties_version1.0", propertiesOf(part, header));
    for (const [property, value] of Object.entries(part.texts ?? {})) {
      const bytes = typeof value === "string" ? Buffer.from(value, "utf16le") : value;
      add(parent, `__substg1.0_${property}`, bytes);
    }
  };
  write(0, message, MESSAGE_HEADER);
  for (const [index, part] of recipients.entries()) {
    write(add(0, `__recip_version1.0_#0000000${index}`, null), part, PART_HEADER);
  }
  for (const [index, part] of attachments.entries()) {
    write(add(0, `__attach_version1.0_#0000000${index}`, null), part, PART_HEADER);
  }
  return burn(entries);
}

function propertiesOf({ numbers = {}, times = {} }: Part, header: number): Uint8Array {
  const values = [
    ...Object.entries(numbers).map(([property, value]) => [property, BigInt(value)] as const),
    ...Object.entries(times).map(
      ([property, time]) => [property, BigInt(time.getTime() + MS_FROM_1601) * 10_000n] as const,
    ),
  ];
  const rows = values.map(([property, value]) => {
    const row = Buffer.alloc(16);
    row.writeUInt32LE(Number.parseInt(property, 16), 0);
    row.writeUInt32LE(6, 4);
    row.writeBigUInt64LE(value, 8);
    return row;
  });
  return Buffer.concat([Buffer.alloc(header), ...rows]);
}
