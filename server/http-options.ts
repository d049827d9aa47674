import type { ServerOptions } from "node:http";

// Without imports of the product: main.ts needs it before the environment is read.

/** How clients may use a connection. What a slow body may take besides is in clients.ts. */
export const HTTP_OPTIONS: ServerOptions = {
  /** Of all headers together; more is 431. */
  maxHeaderSize: 16 * 1024,
  /** For the head of a request. */
  headersTimeout: 20_000,
  /** For all of it: 50 MB at 14 kB a second. */
  requestTimeout: 60 * 60_000,
  /** How often both are looked at. */
  connectionsCheckingInterval: 5000,
  /** clients.ts answers for it, in the shape of all errors. */
  requireHostHeader: false,
  /** Nothing here speaks another protocol: the request is answered, and the upgrade is not. */
  shouldUpgradeCallback: () => false,
};
