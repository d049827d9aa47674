import { Readable } from "node:stream";
import { metricsToken } from "@/lib/operations/telemetry/metrics-token";
import { scrape } from "@/lib/operations/telemetry/start";
import { Download } from "@/lib/platform/http/download";
import { onlyGet } from "@/lib/platform/http/only-method";

const FILE = { name: "metrics.txt", mediaType: "text/plain; version=0.0.4; charset=utf-8" };

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: metricsToken,
  handle: async () => new Download(Readable.from([await scrape()]), FILE),
});
