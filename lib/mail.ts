import "server-only";

import { createTransport } from "nodemailer";
import { env } from "./env";

const TIMEOUT_MS = 15_000;

/** Whether this deployment can send mail. */
export function canMail(): boolean {
  return Boolean(env.SMTP_URL);
}

interface Mail {
  /** One address, or several that may see each other. */
  to: string | readonly string[];
  subject: string;
  text: string;
}

/** Hands a mail over to the server that SMTP_URL names. Throws when that is not set or does not take it. */
export async function sendMail({ to, subject, text }: Mail): Promise<void> {
  if (!env.SMTP_URL) {
    throw new Error("SMTP_URL is not set, so no mail can be sent.");
  }
  const transport = createTransport({
    url: env.SMTP_URL,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // A text is a text: it names no file or address to read from.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const from = env.MAIL_FROM ?? `Footnote <footnote@${new URL(env.APP_URL).hostname}>`;
  // As objects, so that nothing in an address can add another one.
  const recipients = [to].flat().map((address) => ({ name: "", address }));
  await transport.sendMail({ from, to: recipients, subject, text });
}
