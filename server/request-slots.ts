import type { IncomingMessage, ServerResponse } from "node:http";
import { AppError } from "@/lib/errors";
import { clientAddress } from "@/lib/platform/http/request";

/** A body that takes longer than this counts as slow. */
const SLOW_MS = 1000;
/** Of one account or address; beyond it, the oldest gives way. */
const MAX_SLOW_BODIES = 50;

/** These require a key, or are answered without reading anything. */
const API = /^\/(?:v1\/|mcp(?:\?|$))/;

/** Runs from its head, or from the end of its body if that is still arriving, to the end of its response. */
export interface Slot {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Read from the headers each time: few API requests need it. */
  readonly address: string;
  readonly openedAt: number;
  readonly isApi: boolean;
  /** Null until the gate has passed. */
  account: string | null;
  phase: "arriving" | "running" | "released";
}

interface Limits {
  maxRunning: number;
  /** Of one account, or of one client address outside /v1. */
  maxShare: number;
  rejectSlow: (request: IncomingMessage) => void;
}

/**
 * Who has how many of the process's requests. An API request counts toward nobody until its key is known, because clients
 * with good keys and without may share an address.
 */
export class RequestSlots {
  readonly #slots = new Set<Slot>();
  readonly #shares = new Map<string, number>();
  #running = 0;
  #arriving = 0;

  constructor(private readonly limits: Limits) {}

  /** Null when there is no room. */
  open(request: IncomingMessage, response: ServerResponse): Slot | null {
    const slot: Slot = {
      request,
      response,
      get address() {
        return clientAddress(request.headers["x-forwarded-for"]?.toString());
      },
      openedAt: performance.now(),
      isApi: API.test(request.url ?? ""),
      account: null,
      phase: "running",
    };
    if (!this.#hasRoom(slot)) {
      return null;
    }
    this.#slots.add(slot);
    this.#count(slot, 1);
    response.once("close", () => this.#update(slot, { phase: "released" }));
    if (hasBody(request)) {
      this.#waitForBody(slot);
    }
    return slot;
  }

  /** Throws rate_limit_exceeded when the account has its share already. */
  assign(slot: Slot, account: string): void {
    if (slot.account === account || slot.phase === "released") {
      return;
    }
    if ((this.#shares.get(account) ?? 0) >= this.limits.maxShare) {
      throw new AppError(
        "rate_limit_exceeded",
        `The account has ${this.limits.maxShare} requests running on this server, the most allowed. Wait for one to end, then try again.`,
        { headers: { "retry-after": "1" } },
      );
    }
    this.#update(slot, { account });
  }

  /** Call it several times a second. */
  sweep(): void {
    const slow = [...this.#slots].filter((slot) => isSlow(slot));
    for (const bodies of Map.groupBy(slow, (slot) => slot.account ?? slot.address).values()) {
      for (const slot of bodies.slice(0, Math.max(0, bodies.length - MAX_SLOW_BODIES))) {
        this.#reject(slot);
      }
    }
    for (const slot of this.#slots) {
      // An error, which only has to be sent: a stranger who doesn't read it must not keep others out.
      if (slot.isApi && slot.account === null && slot.response.writableEnded) {
        this.#update(slot, { phase: "released" });
      }
    }
  }

  #hasRoom(slot: Slot): boolean {
    if (this.#running >= this.limits.maxRunning) {
      return false;
    }
    if (hasBody(slot.request) && this.#arriving >= this.limits.maxRunning) {
      return this.#rejectOldestBody();
    }
    return slot.isApi || (this.#shares.get(slot.address) ?? 0) < this.limits.maxShare;
  }

  /** Whether there was one whose sender isn't known. A whole body that nobody has read yet isn't arriving anymore. */
  #rejectOldestBody(): boolean {
    const oldest = this.#slots
      .values()
      .find(
        ({ phase, account, request }) =>
          phase === "arriving" && account === null && !request.complete,
      );
    if (oldest) {
      this.#reject(oldest);
    }
    return oldest !== undefined;
  }

  #reject(slot: Slot): void {
    this.#update(slot, { phase: "released" });
    this.limits.rejectSlow(slot.request);
  }

  /** Most bodies arrive with the head: the parser reaches their end before the next tick. */
  #waitForBody(slot: Slot): void {
    const { request } = slot;
    process.nextTick(() => {
      if (!request.complete && slot.phase === "running") {
        this.#update(slot, { phase: "arriving" });
        request.once("end", () => {
          if (slot.phase === "arriving") {
            this.#update(slot, { phase: "running" });
          }
        });
      }
    });
  }

  #update(slot: Slot, change: Partial<Pick<Slot, "account" | "phase">>): void {
    this.#count(slot, -1);
    Object.assign(slot, change);
    this.#count(slot, 1);
    if (slot.phase === "released") {
      this.#slots.delete(slot);
    }
  }

  #count(slot: Slot, change: 1 | -1): void {
    this.#running += slot.phase === "running" ? change : 0;
    this.#arriving += slot.phase === "arriving" ? change : 0;
    const holder = holderOf(slot);
    const share = (this.#shares.get(holder ?? "") ?? 0) + change;
    if (holder && share > 0) {
      this.#shares.set(holder, share);
    } else if (holder) {
      this.#shares.delete(holder);
    }
  }
}

/** Whose share it takes. */
function holderOf(slot: Slot): string | null {
  const { phase, account, isApi } = slot;
  if (phase === "released") {
    return null;
  }
  return account ?? (isApi || phase === "arriving" ? null : slot.address);
}

/** Whether we wait for the client: its body isn't complete, and everything that came has been read. */
function isSlow({ phase, request, openedAt }: Slot): boolean {
  return (
    phase === "arriving" && request.readableLength === 0 && performance.now() - openedAt > SLOW_MS
  );
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
