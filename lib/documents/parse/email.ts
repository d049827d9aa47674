import PostalMime, { type Address, type Email } from "postal-mime";
import { DocumentError } from "../document-error";
import { type Attachment, type ParsedFile, paragraph, parsePlain, toParsedFile } from "./block";

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

/** Names of attachments in the text. */
const MOST_NAMES = 50;

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
    attachments: attachments
      .filter(({ related }) => !related)
      .map(({ filename, mimeType, content }) => ({
        name: filename ?? mimeType,
        bytes: typeof content === "string" ? Buffer.from(content) : new Uint8Array(content),
      })),
  });
}

/** Sender, recipients, date, subject and the attachments' names, then the body. */
export async function parseMessage(message: Message): Promise<ParsedFile> {
  const { attachments, subject } = message;
  const { blocks, warnings } = await bodyOf(message);
  const file = toParsedFile([paragraph(headersOf(message)), ...blocks]);
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
  if (text?.trim() || !html) {
    return { blocks: parsePlain((text ?? "").replace(/\r\n?/g, "\n")), warnings: new Map() };
  }
  return (await import("./html")).parseHtml(html);
}
