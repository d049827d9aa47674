import { getCredits } from "@/lib/money/billing/read/balance";
import { Credits } from "@/lib/money/billing/schema";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyGet } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  operationId: "getCredits",
  summary: "Get the balance: total, held and available.",
  gate: apiKey("billing:read"),
  answer: Credits,
  handle: ({ ctx }) => getCredits(ctx),
});
