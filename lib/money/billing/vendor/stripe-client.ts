import Stripe from "stripe";

/** Stripe answers in this version, whatever the account's default is. */
const API_VERSION = "2026-10-28.endive";

interface ClientOptions {
  secretKey: string;
  /** Another server with Stripe's API, with or without a path. */
  apiBase?: string | undefined;
  timeoutMs: number;
  retries: number;
}

type HttpClient = NonNullable<Stripe.StripeConfig["httpClient"]>;
type HttpResponse = Awaited<ReturnType<HttpClient["makeRequest"]>>;

export function stripeClient({ secretKey, apiBase, timeoutMs, retries }: ClientOptions): Stripe {
  const base = new URL(apiBase ?? "https://api.stripe.com");
  const isSecure = base.protocol === "https:";
  return new Stripe(secretKey, {
    apiVersion: API_VERSION,
    timeout: timeoutMs,
    maxNetworkRetries: retries,
    telemetry: false,
    host: base.hostname,
    port: base.port || (isSecure ? 443 : 80),
    protocol: isSecure ? "https" : "http",
    httpClient: underPath(base.pathname.replace(/\/+$/, "")),
  });
}

/** The package drops the path of a base address, and never settles a call whose response is JSON but not an object. */
function underPath(prefix: string): HttpClient {
  const node = Stripe.createNodeHttpClient();
  return {
    getClientName: () => node.getClientName(),
    makeRequest: async (...request) => {
      const [host, port, path, ...rest] = request;
      return withObjectBody(await node.makeRequest(host, port, `${prefix}${path}`, ...rest));
    },
  };
}

function withObjectBody(response: HttpResponse): HttpResponse {
  const parse = response.toJSON.bind(response);
  response.toJSON = async () => {
    const body: unknown = await parse();
    if (typeof body !== "object" || body === null) {
      throw new TypeError("Stripe's response is not a JSON object.");
    }
    return body;
  };
  return response;
}
