import { createInterface } from "node:readline/promises";
import { finishImport } from "@/lib/library/documents/write/import";
import { countPublic, removePublicBatch } from "@/lib/library/documents/write/remove";

/** `kb remove`. Returns 1 if there was nothing to remove or the operator declined. */
export async function runRemove({
  selection,
  isConfirmed,
}: {
  selection: Parameters<typeof countPublic>[0];
  isConfirmed: boolean;
}): Promise<number> {
  const documents = await countPublic(selection);
  if (documents === 0) {
    process.stderr.write("No matching document in public_kb.\n");
    return 1;
  }
  if (!isConfirmed && process.stdin.isTTY && !(await confirm(documents))) {
    process.stdout.write("Nothing was removed.\n");
    return 1;
  }
  let removed = 0;
  let after: string | undefined = "";
  while (after !== undefined) {
    const ids = await removePublicBatch(selection, after);
    removed += ids.length;
    after = ids.at(-1);
  }
  await finishImport();
  process.stdout.write(`removed ${removed} documents from public_kb\n`);
  return 0;
}

async function confirm(documents: number): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`Remove ${documents} documents from public_kb? [y/N] `);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
