import { NoReceipt } from "@/components/billing/no-receipt";

export default function NoSuchPayment() {
  return (
    <NoReceipt
      title="Payment not found"
      text="Sign in to the account that paid, then open the receipt from the ledger on the billing page."
      retryUrl={null}
    />
  );
}
