import { DocumentError } from "../document-error";

/** A storage of a compound file: its streams' bytes and its storages, by name. */
export interface Storage {
  /** The first bytes of a stream, or null when there is none. */
  read(name: string, mostBytes?: number): Buffer | null;
  /** Names that start so, in the file's order. */
  storages(prefix: string): Storage[];
}

interface Entry {
  name: string;
  isStorage: boolean;
  left: number;
  right: number;
  child: number;
  start: number;
  size: number;
}

const HEADER_TABLE_SECTORS = 109;
const TABLE_AT = 76;
const ENTRY_BYTES = 128;
const MINI_SECTOR_BYTES = 64;
const STORAGE_TYPES = [1, 5];

/**
 * The root of a file in Microsoft's Compound File Binary Format [MS-CFB], which is a small file system. Whatever a file
 * says of itself, each chain is followed for as many sectors as its bytes need and the file has, and each entry is visited
 * once: the readers on npm loop until memory ends. Throws damaged_file.
 */
export function readCompoundFile(bytes: Buffer): Storage {
  try {
    return rootOf(bytes);
  } catch (thrown) {
    // Offsets outside of the file.
    throw thrown instanceof RangeError ? new DocumentError("damaged_file") : thrown;
  }
}

function rootOf(bytes: Buffer): Storage {
  const sectorBytes = 2 ** Math.min(16, bytes.readUInt16LE(30));
  const most = Math.ceil(bytes.length / sectorBytes);
  const sector = (index: number) => {
    const start = (index + 1) * sectorBytes;
    return bytes.subarray(start, start + sectorBytes);
  };
  const next = nextOf(tableSectors(bytes, sector, most), sector, sectorBytes);
  /** At most `size` bytes of the chain that starts there. */
  const chain = (start: number, size: number) => {
    const parts: Buffer[] = [];
    const count = Math.min(most, Math.ceil(size / sectorBytes));
    for (let at = start; parts.length < count && at < most; at = next(at)) {
      parts.push(sector(at));
    }
    return Buffer.concat(parts).subarray(0, size);
  };
  const entries = entriesOf(chain(bytes.readUInt32LE(48), bytes.length));
  const root = entries[0];
  if (!root) {
    throw new DocumentError("damaged_file");
  }
  const small = chain(root.start, root.size);
  const smallTable = chain(bytes.readUInt32LE(60), bytes.readUInt32LE(64) * sectorBytes);
  const smallLimit = bytes.readUInt32LE(56);
  const contentOf = ({ start, size }: Entry, mostBytes: number) => {
    const wanted = Math.min(size, mostBytes);
    if (size >= smallLimit) {
      return whole(chain(start, wanted), wanted);
    }
    const parts: Buffer[] = [];
    const count = Math.ceil(wanted / MINI_SECTOR_BYTES);
    for (let at = start; parts.length < count && at * 4 + 4 <= smallTable.length; ) {
      parts.push(small.subarray(at * MINI_SECTOR_BYTES, (at + 1) * MINI_SECTOR_BYTES));
      at = smallTable.readUInt32LE(at * 4);
    }
    return whole(Buffer.concat(parts).subarray(0, wanted), wanted);
  };
  return storageOf(root, { entries, contentOf, visited: new Set([0]) });
}

/** A stream's bytes. A file that is cut off has fewer than its directory says. */
function whole(bytes: Buffer, size: number): Buffer {
  if (bytes.length < size) {
    throw new DocumentError("damaged_file");
  }
  return bytes;
}

/** Whether a file ends before its directory, which names its streams. */
export function isWithoutDirectory(bytes: Buffer): boolean {
  const sectorBytes = 2 ** Math.min(16, bytes.readUInt16LE(30));
  return (bytes.readUInt32LE(48) + 1) * sectorBytes >= bytes.length;
}

/** Where the sectors of the allocation table are: the first are named in the header, the others in a chain. */
function tableSectors(bytes: Buffer, sector: (at: number) => Buffer, most: number): number[] {
  const found = Array.from({ length: HEADER_TABLE_SECTORS }, (_, index) =>
    bytes.readUInt32LE(TABLE_AT + 4 * index),
  );
  let at = bytes.readUInt32LE(68);
  for (let links = 0; at < most && links < most; links += 1) {
    const link = sector(at);
    const last = link.length - 4;
    for (let offset = 0; offset < last && found.length < most; offset += 4) {
      found.push(link.readUInt32LE(offset));
    }
    at = link.readUInt32LE(last);
  }
  return found;
}

/** The sector after another. Unknown ones end their chain. */
function nextOf(table: readonly number[], sector: (at: number) => Buffer, sectorBytes: number) {
  const perSector = sectorBytes / 4;
  return (index: number) => {
    const part = sector(table[Math.floor(index / perSector)] ?? Number.MAX_SAFE_INTEGER);
    const offset = (index % perSector) * 4;
    return offset + 4 <= part.length ? part.readUInt32LE(offset) : Number.MAX_SAFE_INTEGER;
  };
}

function entriesOf(directory: Buffer): Entry[] {
  return Array.from({ length: Math.floor(directory.length / ENTRY_BYTES) }, (_, index) => {
    const entry = directory.subarray(index * ENTRY_BYTES, (index + 1) * ENTRY_BYTES);
    const nameBytes = Math.min(64, entry.readUInt16LE(64));
    return {
      name: entry.toString("utf16le", 0, Math.max(0, nameBytes - 2)),
      isStorage: STORAGE_TYPES.includes(entry.readUInt8(66)),
      left: entry.readUInt32LE(68),
      right: entry.readUInt32LE(72),
      child: entry.readUInt32LE(76),
      start: entry.readUInt32LE(116),
      size: entry.readUInt32LE(120),
    };
  });
}

function storageOf(
  storage: Entry,
  file: {
    entries: readonly Entry[];
    contentOf: (entry: Entry, mostBytes: number) => Buffer;
    visited: Set<number>;
  },
): Storage {
  const children = childrenOf(storage, file);
  return {
    read(name, mostBytes = Number.POSITIVE_INFINITY) {
      const found = children.find((each) => !each.isStorage && each.name === name);
      return found ? file.contentOf(found, mostBytes) : null;
    },
    storages: (prefix) =>
      children
        .filter(({ name, isStorage }) => isStorage && name.startsWith(prefix))
        .map((each) => storageOf(each, file)),
  };
}

/** A storage's entries, which are the nodes of a tree, sorted by name. */
function childrenOf(
  { child }: Entry,
  { entries, visited }: { entries: readonly Entry[]; visited: Set<number> },
): Entry[] {
  const found: Entry[] = [];
  const open = [child];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const entry = entries[at];
    if (entry && !visited.has(at)) {
      visited.add(at);
      found.push(entry);
      open.push(entry.left, entry.right);
    }
  }
  return found.sort((one, other) => (one.name < other.name ? -1 : 1));
}
