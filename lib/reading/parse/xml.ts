import type { Readable } from "node:stream";
import { Parser } from "htmlparser2";
import { DocumentError } from "../document-error";

type Attributes = Record<string, string>;

/** Names are without their prefix. */
interface XmlHandler {
  open?(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** The parser keeps the open elements, and office files have few. */
const DEEPEST = 500;

/** Reads XML as it is inflated. Knows no entities but XML's own, and loads nothing. Throws too_complex. */
export async function readXml(stream: Readable, handler: XmlHandler): Promise<void> {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > DEEPEST) {
          throw new DocumentError("too_complex");
        }
        handler.open?.(localName(name), attributes);
      },
      ontext: (text) => handler.text?.(text),
      onclosetag(name) {
        depth -= 1;
        handler.close?.(localName(name));
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  const decoder = new TextDecoder();
  for await (const part of stream) {
    parser.write(decoder.decode(part as Buffer, { stream: true }));
  }
  parser.end(decoder.decode());
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
