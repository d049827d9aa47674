import { closeParserPool, readDocument } from "@/lib/library/documents/processes/parser-pool";
import { HOSTILE_FILES } from "./hostile-files";

// A process that reads the hostile files its arguments name, for tests of what becomes of it and of its children. It
// prints the outcome of each.

for (const name of process.argv.slice(2)) {
  const bytes = Buffer.from((HOSTILE_FILES[name]?.() ?? "") as string);
  const task = { bytes, name, title: null, mediaType: null };
  const outcome = await readDocument(task).then(
    () => "read",
    (thrown) => thrown.code,
  );
  process.stdout.write(`${name}: ${outcome}\n`);
}
await closeParserPool();
