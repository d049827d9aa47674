import { finishImport, importDocuments } from "@/lib/library/documents/write/import";
import { env } from "@/lib/platform/env";
import { UNDESCRIBED } from "./describe";
import { fetchPublic } from "./fetch-public";
import { embedImported } from "./reembed";

interface AddOptions {
  url: string;
  title: string | null;
  sourceType: string | null;
}

/** `kb add`. Returns 1 when the document could not be downloaded or read. */
export async function runAdd({ url, title, sourceType }: AddOptions): Promise<number> {
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort(new Error("Stopped.")));
  const { signal } = stop;
  const file = await fetchPublic(url, { maxBytes: env.MAX_UPLOAD_BYTES, signal });
  const document = {
    ...UNDESCRIBED,
    // So that the same address is the same document, whatever its title becomes.
    ...{ key: url, url, title, name: file.name, bytes: file.bytes },
    ...(sourceType !== null && { sourceType }),
  };
  const [outcome] = await importDocuments([document], { seen: new Map(), signal });
  if (!outcome || outcome.state === "failed") {
    process.stderr.write(`${url}: ${outcome?.message ?? "The document could not be read."}\n`);
    return 1;
  }
  if (outcome.state !== "unchanged") {
    await embedImported(signal);
    await finishImport();
  }
  process.stdout.write(`${outcome.state}: ${url}\n`);
  return 0;
}
