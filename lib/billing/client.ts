import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { fetchJson } from "@/lib/fetch-json";
import type { SetLowBalance, SimulatedAction } from "./schema";

const FIRST_POLL_MS = 1000;
const LONGEST_POLL_MS = 20_000;
const GROWTH = 1.5;
/** About five minutes in all: what is not confirmed by then takes hours or days. */
const POLLS = 22;

/** The account's balance. */
export const creditsQuery = queryOptions({
  queryKey: ["billing", "credits"],
  queryFn: ({ signal }) =>
    fetchJson("/api/billing/credits", {
      schema: async () => (await import("./schema")).Credits,
      signal,
    }),
});

/** The account's ledger, newest first, page by page. */
export const ledgerQuery = infiniteQueryOptions({
  queryKey: ["billing", "ledger"],
  queryFn: ({ pageParam, signal }) =>
    fetchJson(
      pageParam
        ? `/api/billing/ledger?after=${encodeURIComponent(pageParam)}`
        : "/api/billing/ledger",
      { schema: async () => (await import("./schema")).LedgerPage, signal },
    ),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next_cursor,
});

/** Below which balance the account's owners are told by mail. */
export const lowBalanceQuery = queryOptions({
  queryKey: ["billing", "low-balance"],
  queryFn: ({ signal }) =>
    fetchJson("/api/billing/low-balance", {
      schema: async () => (await import("./schema")).LowBalance,
      signal,
    }),
});

/** Sets it, or turns it off. */
export function useSetLowBalance() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: SetLowBalance) =>
      fetchJson("/api/billing/low-balance", {
        schema: async () => (await import("./schema")).LowBalance,
        method: "POST",
        body: input,
      }),
    onSuccess: (set) => client.setQueryData(lowBalanceQuery.queryKey, set),
  });
}

/** One checkout of the account. Once it is paid, the balance and the ledger are read before it is told. */
export function checkoutQuery(id: string) {
  return queryOptions({
    queryKey: ["billing", "checkout", id],
    queryFn: async ({ client, signal }) => {
      const session = await fetchJson(`/api/billing/checkout-sessions/${encodeURIComponent(id)}`, {
        schema: async () => (await import("./schema")).CheckoutSession,
        signal,
      });
      if (session.status === "paid") {
        await Promise.all([
          client.invalidateQueries({ queryKey: creditsQuery.queryKey }),
          client.invalidateQueries({ queryKey: ledgerQuery.queryKey }),
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

/** How long to wait before the next look at a checkout that was read `reads` times; false: look no more. */
export function pollDelayMs(reads: number): number | false {
  return reads > POLLS
    ? false
    : Math.min(FIRST_POLL_MS * GROWTH ** Math.max(0, reads - 1), LONGEST_POLL_MS);
}

/** Names one intent to pay, so that repeating a request cannot begin a second checkout. */
export function newAttempt(): string {
  // Unlike randomUUID, there on a plain http address too.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

/** Starts a checkout of an amount in cents. */
export function useStartCheckout() {
  return useMutation({
    mutationFn: ({ amount, attempt }: { amount: number; attempt: string }) =>
      fetchJson("/api/billing/checkout-sessions", {
        schema: async () => (await import("./schema")).CheckoutSession,
        method: "POST",
        body: { amount },
        headers: { "idempotency-key": attempt },
      }),
  });
}

/** Decides how a simulated checkout goes on. */
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
