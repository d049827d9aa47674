import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { cursorPages, fetchJson } from "@/lib/fetch-json";
import type { LedgerFilter, SetLowBalance, SimulatedAction } from "./schema";

const FIRST_POLL_MS = 1000;
const LONGEST_POLL_MS = 20_000;
const GROWTH = 1.5;
/** About five minutes in all: later confirmations take hours or days. */
const POLLS = 22;

const credits = async () => (await import("./schema")).Credits;
const lowBalance = async () => (await import("./schema")).LowBalance;
const ledgerPage = async () => (await import("./schema")).LedgerPage;
const checkoutSession = async () => (await import("./schema")).CheckoutSession;

export const creditsQuery = queryOptions({
  queryKey: ["billing", "credits"],
  queryFn: ({ signal }) => fetchJson("/api/billing/credits", { schema: credits, signal }),
});

export const lowBalanceQuery = queryOptions({
  queryKey: ["billing", "low-balance"],
  queryFn: ({ signal }) => fetchJson("/api/billing/low-balance", { schema: lowBalance, signal }),
});

const LEDGERS = ["billing", "ledger"];

/** Newest first. */
export function ledgerQuery(kind?: LedgerFilter) {
  return infiniteQueryOptions({
    queryKey: [...LEDGERS, kind ?? "all"],
    ...cursorPages("/api/billing/ledger", ledgerPage, kind && { kind }),
  });
}

export function useSetLowBalance() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: SetLowBalance) =>
      fetchJson("/api/billing/low-balance", {
        schema: lowBalance,
        method: "POST",
        body: input,
      }),
    onSuccess: (set) => client.setQueryData(lowBalanceQuery.queryKey, set),
  });
}

/** One checkout. When it is paid, the balance and the ledger are refreshed before the result is returned. */
export function checkoutQuery(id: string) {
  return queryOptions({
    queryKey: ["billing", "checkout", id],
    queryFn: async ({ client, signal }) => {
      const session = await fetchJson(`/api/billing/checkout-sessions/${encodeURIComponent(id)}`, {
        schema: checkoutSession,
        signal,
      });
      if (session.status === "paid") {
        await Promise.all([
          client.invalidateQueries({ queryKey: creditsQuery.queryKey }),
          client.invalidateQueries({ queryKey: LEDGERS }),
        ]);
      }
      return session;
    },
    staleTime: ({ state }) =>
      state.data?.status === "open" || state.data?.status === "processing"
        ? 0
        : Number.POSITIVE_INFINITY,
  });
}

/** How long to wait before the next read of a checkout that was read `reads` times; false to stop. */
export function pollDelayMs(reads: number): number | false {
  return reads > POLLS
    ? false
    : Math.min(FIRST_POLL_MS * GROWTH ** Math.max(0, reads - 1), LONGEST_POLL_MS);
}

/** An idempotency key: repeating a request does not open a second checkout. */
export function newAttempt(): string {
  // Unlike randomUUID, available on plain http too.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

export function useStartCheckout() {
  return useMutation({
    mutationFn: ({ amount, attempt }: { amount: number; attempt: string }) =>
      fetchJson("/api/billing/checkout-sessions", {
        schema: checkoutSession,
        method: "POST",
        body: { amount },
        headers: { "idempotency-key": attempt },
      }),
  });
}

export function useSimulatedAction(id: string) {
  return useMutation({
    mutationFn: (action: SimulatedAction) =>
      fetchJson(`/api/checkout/simulated/${encodeURIComponent(id)}`, {
        schema: async () => (await import("./schema")).SimulatedAnswer,
        method: "POST",
        body: { action },
      }),
  });
}
