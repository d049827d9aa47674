import { randomFillSync } from "node:crypto";
import { encodeTime, monotonicFactory } from "ulid";

/** Buffered: the ULID library asks for one random number per letter. */
const random = new Uint32Array(1024);
let used = random.length;

function nextRandom(): number {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  const value = random[used] ?? 0;
  used += 1;
  return value / 2 ** 32;
}

const nextUlid = monotonicFactory(nextRandom);

/** Ids of one kind sort by creation time. */
const PREFIXES = {
  account: "acct_",
  member: "mem_",
  session: "ses_",
  invitation: "inv_",
  person: "per_",
  key: "key_",
  document: "doc_",
  chunk: "chk_",
  job: "job_",
  upload: "upload_",
  part: "part_",
  vectorStore: "vs_",
  fileBatch: "vsfb_",
  request: "req_",
  ledgerEntry: "txn_",
  auditEvent: "aud_",
  checkout: "cs_",
  simulatedCheckout: "cs_simulated_",
  sharedLink: "shr_",
  completion: "chatcmpl-",
  preset: "pst_",
} as const;

export type IdKind = keyof typeof PREFIXES;

/** A prefix and a lowercase ULID. */
export function newId(kind: IdKind): string {
  return `${PREFIXES[kind]}${nextUlid().toLowerCase()}`;
}

const TIME_LETTERS = 10;

/** Sorts before every id of the kind that is made from then on. */
export function lowestId(kind: IdKind, since: Date): string {
  return `${PREFIXES[kind]}${encodeTime(since.getTime(), TIME_LETTERS).toLowerCase()}`;
}
