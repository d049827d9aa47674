import "server-only";

import { createTransport } from "nodemailer";
import { env } from "./env";

const TIMEOUT_MS = 15_000;

export function canMail(): boolean {
  return Boolean(env.SMTP_URL);
}

interface Mail {
  /** Several recipients see each other's addresses. */
  to: string | readonly string[];
  subject: string;
  text: string;
}

/** Throws without SMTP_URL, or when the server rejects the mail. */
export async function sendMail({ to, subject, text }: Mail): Promise<void> {
  if (!env.SMTP_URL) {
    throw new Error("SMTP_URL is not set, so mail can't be sent.");
  }
  const transport = createTransport({
    url: env.SMTP_URL,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // Never read content from a file or URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const from = env.MAIL_FROM ?? `Footnote <footnote@${new URL(env.APP_URL).hostname}>`;
  // As objects, so that an address can't contain another one.
  const recipients = [to].flat().map((address) => ({ name: "", address }));
  await transport.sendMail({ from, to: recipients, subject, text });
}
