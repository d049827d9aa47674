import { Readable } from "node:stream";
import { Download } from "@/lib/http/download";
import { onlyGet } from "@/lib/http/only-method";
import { metricsToken } from "@/lib/telemetry/metrics-token";
import { scrape } from "@/lib/telemetry/start";

const FILE = { name: "metrics.txt", mediaType: "text/plain; version=0.0.4; charset=utf-8" };

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: metricsToken,
  handle: async () => new Download(Readable.from([await scrape()]), FILE),
});
