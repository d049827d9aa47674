import type { ServerOptions } from "node:http";

// No product imports: main.ts needs this before the environment is read.

/** Connection limits. connection-guard.ts adds the minimum body rate. */
export const HTTP_OPTIONS: ServerOptions = {
  /** All headers together; beyond it, 431. */
  maxHeaderSize: 16 * 1024,
  headersTimeout: 20_000,
  /** The whole request: 50 MB at 14 kB per second. */
  requestTimeout: 60 * 60_000,
  connectionsCheckingInterval: 5000,
  /** Longer than load balancers keep theirs: one must never send a request on a connection that we are closing. */
  keepAliveTimeout: 75_000,
  /** connection-guard.ts rejects it, in the API's error shape. */
  requireHostHeader: false,
  /** No other protocol is supported: answer the request and ignore the upgrade. */
  shouldUpgradeCallback: () => false,
};
