import { session } from "@/lib/auth/session-gate";
import { CompletionParams } from "@/lib/chat/stored-schema";
import { deleteStored } from "@/lib/chat/write/stored";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const DELETE = route({
  gate: session(),
  params: CompletionParams,
  handle: ({ ctx, params }) => deleteStored(ctx, params.completion_id),
});

export const { GET, POST, PUT, PATCH } = methodNotAllowed("DELETE");
