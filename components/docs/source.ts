import "server-only";

import { readFile } from "node:fs/promises";
import path from "node:path";

export function readRepositoryFile(file: string): Promise<string> {
  return readFile(path.join(/* turbopackIgnore: true */ process.cwd(), file), "utf8");
}
