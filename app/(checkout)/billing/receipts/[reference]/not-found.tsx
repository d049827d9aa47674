import { NoReceipt } from "@/components/billing/no-receipt";

export default function NoSuchPayment() {
  return (
    <NoReceipt
      title="There is no such payment in this account"
      text="Open receipts from the ledger on the billing page, signed in to the account that paid."
      retryUrl={null}
    />
  );
}
