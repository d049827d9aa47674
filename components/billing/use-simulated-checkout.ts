"use client";

import { useEffect, useState } from "react";
import { useSimulatedAction } from "@/lib/billing/client";
import type { CheckoutStatus, SimulatedAction } from "@/lib/billing/schema";

/** What the page says of a checkout that is no longer open. */
export const STAGES: Record<Exclude<CheckoutStatus, "open">, { title: string; text: string }> = {
  processing: {
    title: "Bank debit pending",
    text: "A real one takes days. You decide how this one ends.",
  },
  paid: { title: "Paid", text: "The funds are in your balance." },
  failed: { title: "Bank debit failed", text: "You weren’t charged." },
  expired: { title: "This checkout has expired", text: "You weren’t charged." },
};

/** Carries out what the page's buttons ask for. `onOutcome` is called when the page itself shows the end. */
export function useSimulatedCheckout(id: string, first: CheckoutStatus, onOutcome: () => void) {
  const action = useSimulatedAction(id);
  const [stage, setStage] = useState(first);
  const [isLeaving, setIsLeaving] = useState(false);
  useReloadAfterBack();
  const act = (next: SimulatedAction) => {
    if (action.isPending || isLeaving) {
      return;
    }
    action.mutate(next, {
      onSuccess: (answer) => {
        if (next === "pay") {
          setIsLeaving(true);
          window.location.assign(answer.return_url);
        } else if (!answer.declined) {
          setStage(answer.status);
          onOutcome();
        }
      },
    });
  };
  return {
    stage,
    act,
    error: action.error,
    pending: action.isPending || isLeaving ? (action.variables ?? null) : null,
    isDeclined: action.data?.declined ?? false,
  };
}

/** The browser may show this page as it was left, although the checkout has gone on. */
function useReloadAfterBack(): void {
  useEffect(() => {
    const back = (event: PageTransitionEvent) => event.persisted && window.location.reload();
    window.addEventListener("pageshow", back);
    return () => window.removeEventListener("pageshow", back);
  }, []);
}
