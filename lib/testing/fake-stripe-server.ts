import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Stripe from "stripe";
import {
  type Created,
  created,
  type FakeCustomer,
  type FakeSession,
  isBadEmail,
  nestForm,
  type Params,
  StripeWorld,
} from "./fake-stripe";

export const STRIPE_SECRET_KEY = "sk_test_scripted";
export const STRIPE_WEBHOOK_SECRET = "whsec_scripted";

/** A request the server received. */
interface Seen {
  method: string;
  path: string;
  version: string | undefined;
  idempotencyKey: string | undefined;
  params: Params;
}

interface Failure {
  status: number;
  error: Record<string, string>;
  /** Never responds. */
  isSilent?: boolean;
  /** Responds with this instead, as 200. */
  body?: unknown;
  headers?: Record<string, string>;
}

const LIFETIME_SECONDS = 24 * 60 * 60;

/** Stripe's maximum page size; tests can lower it. */
const PAGE = 100;

/**
 * A fake Stripe on loopback for the real `stripe` package: hosted checkout, payer and bank actions, refunds,
 * disputes, idempotency keys, pagination, and errors in Stripe's format.
 */
export class FakeStripe extends StripeWorld {
  readonly seen: Seen[] = [];
  url = "";
  pageSize = PAGE;
  readonly #answers = new Map<string, { params: string; body: object }>();
  readonly #failures: Failure[] = [];
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch(() => response.destroy());
  });

  static async start(): Promise<FakeStripe> {
    const stripe = new FakeStripe();
    await new Promise<void>((resolve) => stripe.#server.listen(0, "127.0.0.1", resolve));
    stripe.#server.unref();
    stripe.url = `http://127.0.0.1:${(stripe.#server.address() as AddressInfo).port}`;
    return stripe;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  /** Fails the next requests, one failure each. The package's own retries count. */
  fail(times: number, failure: Partial<Failure> = {}): void {
    const error = { type: "api_error", message: "Something went wrong on Stripe's end." };
    for (let index = 0; index < times; index += 1) {
      this.#failures.push({ status: 500, error, ...failure });
    }
  }

  recover(): void {
    this.#failures.length = 0;
  }

  /** A webhook event: its body and signature header. */
  event(
    type: string,
    object: object,
    options: { id?: string; timestamp?: number; secret?: string } = {},
  ): { raw: string; headers: Record<string, string> } {
    const raw = JSON.stringify({
      id: options.id ?? created("evt").id,
      object: "event",
      api_version: "2026-10-28.endive",
      type,
      data: { object },
    });
    return this.signed(raw, options);
  }

  /** Any body with a signature header. */
  signed(raw: string, options: { timestamp?: number; secret?: string } = {}) {
    const signature = Stripe.webhooks.generateTestHeaderString({
      payload: raw,
      secret: options.secret ?? STRIPE_WEBHOOK_SECRET,
      ...(options.timestamp && { timestamp: options.timestamp }),
    });
    return { raw, headers: { "stripe-signature": signature, "content-type": "application/json" } };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.url);
    let text = "";
    for await (const piece of request) {
      text += piece;
    }
    const params = nestForm(new URLSearchParams(request.method === "POST" ? text : url.search));
    const idempotencyKey = request.headers["idempotency-key"]?.toString();
    const seen = {
      method: request.method ?? "",
      path: url.pathname,
      version: request.headers["stripe-version"]?.toString(),
      idempotencyKey,
      params,
    };
    this.seen.push(seen);
    const failure = this.#failures.shift() ?? refuseKey(request);
    if (failure?.isSilent) {
      return;
    }
    const answer = failure ? answerOf(failure) : this.#route(seen, text);
    response.writeHead(answer.status, {
      ...failure?.headers,
      "content-type": "application/json",
      "request-id": created("req").id,
    });
    response.end(JSON.stringify(answer.body));
  }

  #route({ method, path, params, idempotencyKey }: Seen, text: string): Answer {
    const [, , ...parts] = path.split("/");
    const [collection, id] = parts[0] === "checkout" ? [parts[1], parts[2]] : parts;
    if (method === "POST" && collection === "sessions") {
      return this.#once(idempotencyKey, text, () => this.#createSession(params));
    }
    if (collection === "sessions") {
      return id ? this.#readSession(id, params) : this.#list(this.sessions, params);
    }
    if (collection === "customers") {
      return this.#saveCustomer(id, params);
    }
    if (collection === "refunds") {
      return this.#list(this.refunds, params);
    }
    return collection === "disputes"
      ? this.#list(this.disputes, params)
      : refusal(404, { message: `Unrecognized request URL (${method}: ${path}).` });
  }

  /** A reused idempotency key replays the response, but only for the same parameters. */
  #once(key: string | undefined, params: string, work: () => Answer): Answer {
    const known = key ? this.#answers.get(key) : undefined;
    if (known) {
      return known.params === params
        ? { status: 200, body: known.body }
        : refusal(400, {
            type: "idempotency_error",
            message: "Keys for idempotent requests can only be used with the same parameters.",
          });
    }
    const answer = work();
    if (key && answer.status === 200) {
      this.#answers.set(key, { params, body: structuredClone(answer.body) });
    }
    return answer;
  }

  #createSession(params: Params): Answer {
    const { success_url: successUrl, cancel_url: cancelUrl } = params;
    if (typeof successUrl !== "string" || !/^https?:\/\/[^/]*(\.|localhost)/.test(successUrl)) {
      return refusal(400, {
        code: "url_invalid",
        param: "success_url",
        message: "Not a valid URL",
      });
    }
    const refused = this.#refusePayer(params);
    if (refused) {
      return refused;
    }
    const [line] = Object.values(params.line_items as Params) as {
      price_data: { unit_amount: string; currency: string };
    }[];
    const { id, created: at } = created("cs_test");
    const session: FakeSession = {
      id,
      object: "checkout.session",
      created: at,
      mode: String(params.mode),
      currency: line?.price_data.currency ?? "",
      amount_total: Number(line?.price_data.unit_amount),
      status: "open",
      payment_status: "unpaid",
      payment_intent: null,
      client_reference_id: String(params.client_reference_id),
      metadata: params.metadata as Record<string, string>,
      customer: params.customer ? String(params.customer) : null,
      total_details: { amount_tax: 0 },
      success_url: successUrl,
      cancel_url: String(cancelUrl),
      url: `https://checkout.stripe.example/c/pay/${id}`,
      expires_at: at + LIFETIME_SECONDS,
    };
    this.sessions.set(id, session);
    return { status: 200, body: session };
  }

  #refusePayer({ customer, customer_email: email, payment_intent_data: intent }: Params) {
    const receipt = (intent as Params | undefined)?.receipt_email;
    if (customer && !this.customers.has(String(customer))) {
      const message = `No such customer: '${customer}'`;
      return refusal(400, { code: "resource_missing", param: "customer", message });
    }
    return [email, receipt].some(isBadEmail) ? refusal(400, BAD_EMAIL) : null;
  }

  #saveCustomer(id: string | undefined, { email = null, metadata }: Params): Answer {
    if (isBadEmail(email)) {
      return refusal(400, BAD_EMAIL);
    }
    const known = id ? this.customers.get(id) : undefined;
    if (id && !known) {
      return refusal(404, { code: "resource_missing", param: "id", message: "No such customer" });
    }
    const customer = {
      ...(known ?? created("cus")),
      object: "customer",
      email,
      metadata,
    } as FakeCustomer;
    this.customers.set(customer.id, customer);
    return { status: 200, body: customer };
  }

  #readSession(id: string, params: Params): Answer {
    const session = this.sessions.get(id);
    if (!session) {
      const message = `No such checkout.session: ${id}`;
      return refusal(404, { code: "resource_missing", param: "session", message });
    }
    const isExpanded = Object.values(params.expand ?? {}).includes("payment_intent");
    const intent = this.intents.get(session.payment_intent ?? "");
    return {
      status: 200,
      body: { ...session, ...(isExpanded && intent && { payment_intent: intent }) },
    };
  }

  /** Lists newest first, in pages, like Stripe. */
  #list(
    items: Map<string, Created & { payment_intent: string | null; status: string }>,
    params: Params,
  ): Answer {
    const since = Number((params.created as Params | undefined)?.gte ?? 0);
    const matching = [...items.values()]
      .filter((item) => item.created >= since)
      .filter((item) => !params.payment_intent || item.payment_intent === params.payment_intent)
      .filter((item) => !params.status || item.status === params.status)
      .reverse();
    const after = matching.findIndex((item) => item.id === params.starting_after);
    const rest = matching.slice(after + 1);
    const limit = Math.min(Number(params.limit ?? 10), this.pageSize);
    return {
      status: 200,
      body: {
        object: "list",
        url: "/v1/list",
        data: rest.slice(0, limit),
        has_more: rest.length > limit,
      },
    };
  }
}

interface Answer {
  status: number;
  body: object;
}

function refusal(status: number, error: Record<string, string>): Answer {
  return { status, body: { error: { type: "invalid_request_error", ...error } } };
}

const BAD_EMAIL = { code: "email_invalid", message: "Invalid email address: a@b.invalid" };

function answerOf({ status, error, body }: Failure): Answer {
  return body === undefined ? { status, body: { error } } : { status: 200, body: body as object };
}

function refuseKey(request: IncomingMessage): Failure | undefined {
  return request.headers.authorization === `Bearer ${STRIPE_SECRET_KEY}`
    ? undefined
    : {
        status: 401,
        error: { type: "invalid_request_error", message: "Invalid API Key provided" },
      };
}
