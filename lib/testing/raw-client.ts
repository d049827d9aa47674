import { connect } from "node:net";
import { onTestFinished } from "vitest";

/** A client that sends raw bytes, valid or not. */
export function rawClient(port: number) {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  let received = "";
  let isOver = false;
  let wake = () => {};
  socket.setEncoding("utf8");
  socket.on("data", (text: string) => {
    received += text;
    wake();
  });
  const end = () => {
    isOver = true;
    wake();
  };
  // Writing to a closed connection isn't a test failure.
  socket.on("error", end).on("end", end).on("close", end);
  const until = async (isThere: () => boolean) => {
    while (!isThere()) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return received;
  };
  return {
    socket,
    send: (bytes: string | Uint8Array) => socket.write(bytes),
    /** Everything received, once it contains this. */
    receives: (pattern: RegExp) => until(() => pattern.test(received) || isOver),
    /** Everything received, once the server has closed its side. */
    isClosed: () => until(() => isOver),
  };
}

/** A request's head, with a default host. */
export function head(line: string, headers: Record<string, string> = {}): string {
  const all = { host: "localhost", ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

/** The responses in a connection's bytes, in order, without interim ones such as 102. */
export function answersIn(received: string) {
  const answers: { status: number; headers: Headers; body: string }[] = [];
  let rest = received;
  while (rest) {
    const [top = "", ...lines] = (rest.split("\r\n\r\n")[0] ?? "").split("\r\n");
    rest = rest.slice(rest.indexOf("\r\n\r\n") + 4);
    const status = Number(top.split(" ")[1]);
    const headers = new Headers(lines.map((line) => splitHeader(line)));
    if (status >= 200) {
      const isChunked = headers.get("transfer-encoding") === "chunked";
      const [body, after] = isChunked ? unchunk(rest) : cut(rest, headers.get("content-length"));
      rest = after;
      answers.push({ status, headers, body });
    }
  }
  return answers;
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}

function cut(text: string, length: string | null): [string, string] {
  const bytes = Buffer.from(text);
  const end = length === null ? bytes.length : Number(length);
  return [bytes.subarray(0, end).toString(), bytes.subarray(end).toString()];
}

function unchunk(text: string): [string, string] {
  let bytes = Buffer.from(text);
  let body = "";
  for (;;) {
    const line = bytes.indexOf("\r\n");
    const size = Number.parseInt(bytes.subarray(0, line).toString(), 16);
    if (line < 0 || !(size > 0)) {
      return [body, bytes.subarray(line + 4).toString()];
    }
    body += bytes.subarray(line + 2, line + 2 + size).toString();
    bytes = bytes.subarray(line + 4 + size);
  }
}
