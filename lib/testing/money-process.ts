import { once } from "node:events";
import { closeDatabase, query } from "@/lib/platform/db/client";
import { call } from "./api";

// A separate process for money tests: sends concurrent requests with a key when it reads a line on stdin,
// and prints how many had each status and code.

const [key = "", count = "0"] = process.argv.slice(2);

await query("test_warm_up", "SELECT 1");
process.stdout.write("ready\n");
await once(process.stdin, "data");
const answers = await Promise.all(Array.from({ length: Number(count) }, search));
const counts: Record<string, number> = {};
for (const { status, json } of answers) {
  const name = `${status} ${json.error?.code ?? json.usage.cost_usd}`;
  counts[name] = (counts[name] ?? 0) + 1;
}
process.stdout.write(`${JSON.stringify(counts)}\n`);
await closeDatabase();
process.exit(0);

function search() {
  return call("POST", "/v1/kb/search", { key, body: { query: "stroke", sources: ["public_kb"] } });
}
