import "server-only";

import { readFile } from "node:fs/promises";
import path from "node:path";

/** The text of a file of the repository. */
export function readRepositoryFile(file: string): Promise<string> {
  return readFile(path.join(/* turbopackIgnore: true */ process.cwd(), file), "utf8");
}
