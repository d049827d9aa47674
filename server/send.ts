import type { ServerResponse } from "node:http";
import { sendNodeResponse } from "srvx/node";
import type { BufferedResponse } from "@/lib/http/json-response";
import type { StreamedResponse } from "@/lib/http/sse";

/** Sends an answer. Resolves when it is sent or its client has left; to one that does not read it may never end. */
export async function send(response: ServerResponse, answer: Response): Promise<void> {
  const { whole, streamed } = answer as Partial<BufferedResponse & StreamedResponse>;
  if (whole) {
    const { status, headers, text } = whole;
    // With its length said, head and body are one write.
    response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(text) });
    response.end(text);
  } else if (streamed) {
    await sendEvents(response, streamed);
  } else {
    await sendNodeResponse(response, answer);
  }
}

/** Events as they come, no faster than the client reads them. */
async function sendEvents(
  response: ServerResponse,
  { headers, text }: StreamedResponse["streamed"],
): Promise<void> {
  if (response.destroyed) {
    await text.cancel();
    return;
  }
  const closed = new Promise<void>((resolve) => response.once("close", resolve));
  void closed.then(() => text.cancel());
  response.writeHead(200, headers);
  text.bridgeSilence((comment) => !response.destroyed && response.write(comment));
  for (let event = await text.next(); event !== null; event = await text.next()) {
    if (response.destroyed) {
      return;
    }
    if (!response.write(event)) {
      await Promise.race([new Promise((resolve) => response.once("drain", resolve)), closed]);
    }
  }
  response.end();
}
