import PostalMime, { type Address, type Attachment, type Email } from "postal-mime";
import { DocumentError } from "../document-error";
import { type Block, type ParsedFile, paragraph, parsePlain, toParsedFile } from "./block";

/** Names of attachments in the text. */
const MOST_NAMES = 50;

/** Sender, recipients, date and subject, then the body. Attachments are named, and reported as left out. */
export async function parseEmail(bytes: Uint8Array): Promise<ParsedFile> {
  const email = await parse(bytes);
  const attachments = email.attachments.filter(({ related }) => !related);
  const { blocks, warnings } = await bodyOf(email);
  const file = toParsedFile([paragraph(headersOf(email, attachments)), ...blocks]);
  if (attachments.length > 0) {
    warnings.set("attachments_left_out", attachments.length);
  }
  return { ...file, title: email.subject?.trim() || null, warnings };
}

async function parse(bytes: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(bytes);
  } catch {
    // Only its limits on nesting and headers stop the parser.
    throw new DocumentError("too_complex");
  }
}

function headersOf(email: Email, attachments: readonly Attachment[]): string {
  const names = attachments.map(({ filename, mimeType }) => filename ?? mimeType);
  const fields = {
    From: listOf(email.from ? [email.from] : []),
    To: listOf(email.to),
    Cc: listOf(email.cc),
    Date: email.date,
    Subject: email.subject,
    Attachments: names.slice(0, MOST_NAMES).join(", "),
  };
  return Object.entries(fields)
    .map(([name, value]) => [name, value?.replace(/\s+/g, " ").trim()])
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

function listOf(addresses: readonly Address[] = []): string {
  return addresses
    .map(({ name, address }) => (address && name ? `${name} <${address}>` : address || name))
    .join(", ");
}

async function bodyOf({
  text,
  html,
}: Email): Promise<{ blocks: Block[]; warnings: Map<string, number> }> {
  if (text?.trim() || !html) {
    return { blocks: parsePlain((text ?? "").replace(/\r\n?/g, "\n")), warnings: new Map() };
  }
  return (await import("./html")).parseHtml(html);
}
