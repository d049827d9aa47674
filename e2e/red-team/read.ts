import { readFile } from "node:fs/promises";
import path from "node:path";
import type { RedTeamDocument } from "./manifest";
import { makeOfficeFile } from "./office";

const FOLDER = path.join(import.meta.dirname, "documents");

export function bytesOf(document: RedTeamDocument): Promise<Uint8Array> {
  return document.file.startsWith("office/")
    ? makeOfficeFile(document)
    : readFile(path.join(FOLDER, document.file));
}
