import "server-only";

import type { Context } from "@/lib/platform/auth/context";
import { db, query } from "@/lib/platform/db/client";
import type { PaymentProvider } from "../vendor/port";

/** The account's customer at the provider, with its first owner's address; null when the provider has none. */
export async function ensureCustomer(
  { account }: Context,
  provider: PaymentProvider,
): Promise<string | null> {
  const [known] = await query<{ provider_id: string; email: string | null }>(
    "billing_get_customer",
    "SELECT provider_id, email FROM payment_customer WHERE account_id = $1 AND provider = $2",
    [account.id, provider.name],
  );
  const owner = await db().member.findFirst({
    where: { accountId: account.id, role: "owner" },
    orderBy: { id: "asc" },
    select: { email: true },
  });
  const email = owner?.email ?? null;
  if (known && known.email === email) {
    return known.provider_id;
  }
  const id = known?.provider_id ?? null;
  const saved = await provider.saveCustomer({ id, accountId: account.id, email });
  if (saved) {
    await query(
      "billing_save_customer",
      `INSERT INTO payment_customer (account_id, provider, provider_id, email) VALUES ($1, $2, $3, $4)
       ON CONFLICT (account_id, provider) DO UPDATE SET provider_id = excluded.provider_id, email = excluded.email`,
      [account.id, provider.name, saved, email],
    );
  }
  return saved;
}

/** After the provider lost it, or another of its accounts is used: the next checkout makes a new one. */
export async function forgetCustomer(accountId: string, providerId: string | null): Promise<void> {
  await query(
    "billing_forget_customer",
    "DELETE FROM payment_customer WHERE account_id = $1 AND provider_id = $2",
    [accountId, providerId],
  );
}
