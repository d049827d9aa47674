import { getCredits } from "@/lib/money/billing/read/balance";
import { Credits } from "@/lib/money/billing/schema";
import { keyGet } from "@/lib/platform/auth/key-route";

export const { GET, POST, PUT, PATCH, DELETE } = keyGet("billing:read", {
  operationId: "getCredits",
  summary: "Get the balance: total, held and available.",
  answer: Credits,
  handle: ({ ctx }) => getCredits(ctx),
});
