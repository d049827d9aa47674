import type { Address } from "postal-mime";
import { DocumentError } from "../document-error";
import type { ParsedFile } from "../parse/block";
import { decodeText } from "../parse/decode";
import { readCompoundFile, type Storage } from "./compound-file";
import { parseMessage } from "./email";

/** Properties of messages, recipients and attachments, by their numbers in [MS-OXPROPS]. */
const PROPERTY = {
  subject: "0037",
  submitTime: "0039",
  senderName: "0C1A",
  senderEmail: "0C1F",
  senderSmtp: "5D01",
  recipientKind: "0C15",
  deliveryTime: "0E06",
  text: "1000",
  compressedRtf: "1009",
  html: "1013",
  name: "3001",
  email: "3003",
  smtp: "39FE",
  content: "3701",
  shortFileName: "3704",
  longFileName: "3707",
  codePage: "3FFD",
  isHidden: "7FFE",
} as const;
type Property = keyof typeof PROPERTY;

/** Recipients or attachments that are read. */
const MOST_PARTS = 1000;
/** Of a property other than the body, so that a file of many parts that share one stream isn't copied for each. */
const MOST_BYTES = 4096;
const BODY: ReadonlySet<Property> = new Set(["text", "html"]);
const TO = 1;
const CC = 2;
/** Bytes before the properties of the message itself, and of a recipient or an attachment. */
const MESSAGE_HEADER = 32;
const PART_HEADER = 8;
const ROW_BYTES = 16;
/** Times are counted from 1601, in units of 100 ns. */
const UNITS_PER_MS = 10_000n;
const EPOCH_MS = 11_644_473_600_000n;
const LAST_TIME_MS = 8_640_000_000_000_000n;
const CODE_PAGES: Record<number, string> = {
  874: "windows-874",
  932: "shift_jis",
  936: "gbk",
  949: "euc-kr",
  950: "big5",
  20866: "koi8-r",
  21866: "koi8-u",
  65001: "utf-8",
};
const RTF_ONLY =
  "The file is an Outlook message whose text is stored as rich text only. Save it as EML or PDF and upload that.";

/** A message saved by Outlook (MSG). Throws DocumentError. */
export async function parseOutlook(bytes: Buffer): Promise<ParsedFile> {
  const file = readCompoundFile(bytes);
  const encoding = encodingOf(numberOf(file, "codePage", MESSAGE_HEADER));
  const textOf = (storage: Storage, property: Property) => readText(storage, property, encoding);
  const recipients = partsOf(file, "__recip_version1.0_").map((each) => ({
    kind: numberOf(each, "recipientKind", PART_HEADER),
    address: toAddress(textOf(each, "name"), [textOf(each, "smtp"), textOf(each, "email")]),
  }));
  const addressesOf = (kind: number) =>
    recipients.filter((each) => each.kind === kind).map(({ address }) => address);
  const budget = { bytes: bytes.length };
  const text = textOf(file, "text");
  const html = textOf(file, "html") ?? decodeHtml(file);
  if (!text?.trim() && !html && file.read(streamName("compressedRtf", "0102"), 1)) {
    throw new DocumentError("unsupported_format", RTF_ONLY);
  }
  return parseMessage({
    from: [
      toAddress(textOf(file, "senderName"), [
        textOf(file, "senderSmtp"),
        textOf(file, "senderEmail"),
      ]),
    ],
    to: addressesOf(TO),
    cc: addressesOf(CC),
    date: timeOf(file, "deliveryTime") ?? timeOf(file, "submitTime"),
    subject: textOf(file, "subject"),
    text,
    html,
    attachments: partsOf(file, "__attach_version1.0_")
      .filter((each) => numberOf(each, "isHidden", PART_HEADER) !== 1)
      .map((each) => ({
        name:
          textOf(each, "longFileName") ??
          textOf(each, "shortFileName") ??
          textOf(each, "name") ??
          "untitled",
        bytes: readWithin(each, budget),
      })),
  });
}

function partsOf(file: Storage, prefix: string): Storage[] {
  return file.storages(prefix).slice(0, MOST_PARTS);
}

function streamName(property: Property, type: "001F" | "001E" | "0102"): string {
  return `__substg1.0_${PROPERTY[property]}${type}`;
}

/** In UTF-16, or in the message's own encoding. */
function readText(storage: Storage, property: Property, encoding: string): string | undefined {
  const most = BODY.has(property) ? undefined : MOST_BYTES;
  const unicode = storage.read(streamName(property, "001F"), most);
  if (unicode) {
    return withoutNul(unicode.toString("utf16le"));
  }
  const encoded = storage.read(streamName(property, "001E"), most);
  return encoded ? withoutNul(new TextDecoder(encoding).decode(encoded)) : undefined;
}

/** An attachment's bytes: all of them together are at most the file's, though several may name the same ones. */
function readWithin(
  attachment: Storage,
  budget: { bytes: number },
): Uint8Array<ArrayBuffer> | null {
  const content = attachment.read(streamName("content", "0102"), budget.bytes + 1);
  if (!content || content.length > budget.bytes) {
    return null;
  }
  budget.bytes -= content.length;
  return new Uint8Array(content);
}

function withoutNul(text: string): string {
  return text.replaceAll("\0", "");
}

function decodeHtml(file: Storage): string | undefined {
  const html = file.read(streamName("html", "0102"));
  return html?.length ? decodeText(html).text : undefined;
}

/** The eight bytes of a property with a fixed size, or null. */
function fixedOf(storage: Storage, property: Property, header: number): Buffer | null {
  const rows = storage.read("__properties_version1.0", MOST_BYTES)?.subarray(header);
  for (let at = 0; rows && at + ROW_BYTES <= rows.length; at += ROW_BYTES) {
    if (rows.readUInt16LE(at + 2) === Number.parseInt(PROPERTY[property], 16)) {
      return rows.subarray(at + 8, at + ROW_BYTES);
    }
  }
  return null;
}

function numberOf(storage: Storage, property: Property, header: number): number | null {
  return fixedOf(storage, property, header)?.readUInt32LE(0) ?? null;
}

function timeOf(file: Storage, property: Property): string | undefined {
  const units = fixedOf(file, property, MESSAGE_HEADER)?.readBigUInt64LE(0) ?? 0n;
  const ms = units / UNITS_PER_MS - EPOCH_MS;
  return units === 0n || ms > LAST_TIME_MS ? undefined : new Date(Number(ms)).toISOString();
}

function encodingOf(codePage: number | null): string {
  if (codePage !== null && codePage >= 1250 && codePage <= 1258) {
    return `windows-${codePage}`;
  }
  return CODE_PAGES[codePage ?? 0] ?? "windows-1252";
}

/** An address inside an organization isn't one of the internet, and is left out. */
function toAddress(name = "", addresses: readonly (string | undefined)[]): Address {
  const address = addresses.find((each) => each?.includes("@"));
  return { name: name === address ? "" : name, ...(address && { address }) } as Address;
}
