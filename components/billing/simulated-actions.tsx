import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { FormError } from "@/components/ui/form-error";
import type { SimulatedAction } from "@/lib/billing/schema";

interface ActionsProps {
  /** For reading. */
  amount: string;
  /** What is being done. */
  pending: SimulatedAction | null;
  error: Error | null;
  act: (action: SimulatedAction) => void;
}

const DECLINED =
  "The card was declined, and nothing was charged. Try again or use another payment method.";

/** How a checkout that is open may end. */
export function OpenActions({
  amount,
  pending,
  isDeclined,
  error,
  act,
}: ActionsProps & { isDeclined: boolean }) {
  return (
    <>
      <FormError message={isDeclined ? DECLINED : error?.message} />
      <Button variant="primary" size="lg" isPending={pending === "pay"} onClick={() => act("pay")}>
        Pay {amount}
      </Button>
      <ul aria-label="Other outcomes" className="divide-y border-t">
        <Outcome text="Stays pending until you settle or fail it.">
          <Button isPending={pending === "pay_later"} onClick={() => act("pay_later")}>
            Pay by bank debit
          </Button>
        </Outcome>
        <Outcome text="The checkout stays open so you can try again.">
          <Button isPending={pending === "decline"} onClick={() => act("decline")}>
            Decline the card
          </Button>
        </Outcome>
        <Outcome text="Closes the checkout without a payment.">
          <Button isPending={pending === "expire"} onClick={() => act("expire")}>
            Let it expire
          </Button>
        </Outcome>
      </ul>
    </>
  );
}

/** How a bank debit that is under way may end. */
export function ProcessingActions({ pending, error, act }: ActionsProps) {
  return (
    <>
      <FormError message={error?.message} />
      <div className="grid gap-2 sm:grid-cols-2">
        <Button
          variant="primary"
          size="lg"
          isPending={pending === "settle"}
          onClick={() => act("settle")}
        >
          Settle the debit
        </Button>
        <Button size="lg" isPending={pending === "fail"} onClick={() => act("fail")}>
          Fail the debit
        </Button>
      </div>
    </>
  );
}

function Outcome({ text, children }: { text: string; children: ReactNode }) {
  return (
    <li className="grid items-center gap-x-4 gap-y-1.5 py-3 last:pb-0 sm:grid-cols-[9.5rem_minmax(0,1fr)]">
      {children}
      <span className="text-muted">{text}</span>
    </li>
  );
}
