import PostalMime, { type Address, type Email } from "postal-mime";
import { shorten } from "@/lib/text/shorten";
import { withoutInvisible } from "../describe";
import { DocumentError } from "../document-error";
import { FORMATS } from "../formats";
import {
  type Attachment,
  type ParsedFile,
  paragraph,
  parsePlain,
  toParsedFile,
} from "../parse/block";

/** An email of any format. */
export interface Message {
  /** Without inline pictures. */
  attachments: Attachment[];
  from: readonly Address[];
  to: readonly Address[];
  cc: readonly Address[];
  date: string | undefined;
  subject: string | undefined;
  text: string | undefined;
  html: string | undefined;
}

/** A plain text with a smaller share of the page's letters only says that there is one. */
const STUB_SHARE = 0.6;
/** Names of attachments in the text. */
const MOST_NAMES = 50;
const MESSAGE_TYPE = FORMATS.email.mediaTypes[0];
/** Of an attached message, from which its subject is read. */
const MOST_HEADER_BYTES = 65_536;
const LONGEST_SUBJECT = 100;
/** Characters that some system doesn't allow in a file's name. */
const RESERVED = /[\p{Cc}"*/:<>?\\|]+/gu;

/** A message in the format of the internet (EML). Throws DocumentError. */
export async function parseEmail(bytes: Uint8Array): Promise<ParsedFile> {
  const { from, to = [], cc = [], date, subject, text, html, attachments } = await parse(bytes);
  return parseMessage({
    from: from ? [from] : [],
    to,
    cc,
    date,
    subject,
    text,
    html,
    attachments: await Promise.all(attachments.filter(({ related }) => !related).map(toAttachment)),
  });
}

async function toAttachment({
  filename,
  mimeType,
  content,
}: Email["attachments"][number]): Promise<Attachment> {
  const bytes = typeof content === "string" ? Buffer.from(content) : new Uint8Array(content);
  const isMessage = mimeType === MESSAGE_TYPE;
  return { name: filename || (isMessage ? await messageName(bytes) : mimeType), bytes };
}

/** What an attached message without a name is called: its subject. */
async function messageName(bytes: Uint8Array): Promise<string> {
  const head = Buffer.from(bytes.subarray(0, MOST_HEADER_BYTES)).toString("latin1");
  const [header = ""] = head.split(/\r?\n\r?\n/, 1);
  const { subject = "" } = await parse(Buffer.from(`${header}\r\n\r\n`, "latin1"));
  const name = withoutInvisible(subject.toWellFormed()).replace(RESERVED, " ").replace(/\s+/g, " ");
  return `${shorten(name.trim(), LONGEST_SUBJECT) || "attached message"}.eml`;
}

/** Sender, recipients, date, subject and the attachments' names, then the body. */
export async function parseMessage(message: Message): Promise<ParsedFile> {
  const { subject } = message;
  // Else a name could read "invoice.exe.pdf" and end in ".exe".
  const attachments = message.attachments.map(({ name, bytes }) => ({
    name: withoutInvisible(name),
    bytes,
  }));
  const { blocks, warnings } = await bodyOf(message);
  const file = toParsedFile([paragraph(headersOf({ ...message, attachments })), ...blocks]);
  return { ...file, title: subject?.trim() || null, warnings, attachments };
}

async function parse(bytes: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(bytes);
  } catch {
    // Only its limits on nesting and headers stop the parser.
    throw new DocumentError("too_complex");
  }
}

function headersOf({ from, to, cc, date, subject, attachments }: Message): string {
  const fields = {
    From: listOf(from),
    To: listOf(to),
    Cc: listOf(cc),
    Date: date,
    Subject: subject,
    Attachments: attachments
      .slice(0, MOST_NAMES)
      .map(({ name }) => name)
      .join(", "),
  };
  return Object.entries(fields)
    .map(([name, value]) => [name, value?.replace(/\s+/g, " ").trim()])
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

function listOf(addresses: readonly Address[]): string {
  return addresses
    .map(({ name, address }) => (address && name ? `${name} <${address}>` : address || name))
    .join(", ");
}

async function bodyOf({ text, html }: Message): Promise<Pick<ParsedFile, "blocks" | "warnings">> {
  const plain = parsePlain((text ?? "").replace(/\r\n?/g, "\n"));
  const lengthOf = (blocks: ParsedFile["blocks"]) =>
    blocks.reduce((sum, block) => sum + block.text.length, 0);
  const page =
    html && html.length > lengthOf(plain) ? (await import("../parse/html")).parseHtml(html) : null;
  const isStub = page && lengthOf(plain) < lengthOf(page.blocks) * STUB_SHARE;
  return isStub ? page : { blocks: plain, warnings: new Map() };
}
