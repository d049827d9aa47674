import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { env } from "@/lib/platform/env";

/** A received email. */
interface Arrived {
  to: string;
  subject: string;
  text: string;
}

/** A mail server on loopback that accepts or rejects every email, until the test ends. */
export async function startMailbox({ refuses = false } = {}): Promise<Arrived[]> {
  const mails: Arrived[] = [];
  const server = createServer((socket) => {
    converse(socket, refuses, (mail) => mails.push(mail)).catch(() => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  env.SMTP_URL = `smtp://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  onTestFinished(() => {
    env.SMTP_URL = undefined;
    server.close();
  });
  return mails;
}

/** The minimum of SMTP that a client needs. */
async function converse(socket: Socket, refuses: boolean, take: (mail: Arrived) => void) {
  const say = (line: string) => socket.write(`${line}\r\n`);
  let to = "";
  let lines: string[] | null = null;
  say("220 mailbox");
  for await (const line of createInterface({ input: socket })) {
    const [verb = "", recipient] = /^(\w+)(?: TO:<([^>]*)>)?/i.exec(line)?.slice(1) ?? [];
    if (lines && line === ".") {
      take(read(to, lines.join("\n")));
      lines = null;
      say("250 taken");
    } else if (lines) {
      lines.push(line);
    } else {
      to = recipient ?? to;
      lines = verb.toUpperCase() === "DATA" ? [] : null;
      say(answerTo(verb.toUpperCase(), refuses));
    }
  }
}

function answerTo(verb: string, refuses: boolean): string {
  const refusal = refuses ? "550 no such mailbox" : "250 ok";
  return { RCPT: refusal, DATA: "354 go on", QUIT: "221 bye" }[verb] ?? "250 ok";
}

function read(to: string, mail: string): Arrived {
  const [head = "", ...body] = mail.split("\n\n");
  const text = body.join("\n\n");
  return {
    to,
    subject: /^Subject: (.*)$/m.exec(head)?.[1] ?? "",
    text: /quoted-printable/i.test(head)
      ? text
          .replaceAll("=\n", "")
          .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
      : text,
  };
}
