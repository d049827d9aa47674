import { Download } from "@/lib/http/download";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { metricsToken } from "@/lib/telemetry/metrics-token";
import { scrape } from "@/lib/telemetry/start";

const FILE = { name: "metrics.txt", mediaType: "text/plain; version=0.0.4; charset=utf-8" };

export const GET = route({
  gate: metricsToken,
  handle: async () => new Download(once(await scrape()), FILE),
});

export const { POST, PUT, PATCH, DELETE } = methodNotAllowed("GET");

async function* once(text: string): AsyncIterable<string> {
  yield text;
}
