import { apiKey } from "@/lib/auth/api-key";
import { getCredits } from "@/lib/billing/read/balance";
import { Credits } from "@/lib/billing/schema";
import { onlyGet } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  operationId: "getCredits",
  summary: "Get the balance: total, held and available.",
  gate: apiKey("billing:read"),
  answer: Credits,
  handle: ({ ctx }) => getCredits(ctx),
});
