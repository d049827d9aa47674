import { getStored } from "@/lib/answers/chat/read/stored";
import {
  COPIES_STAY,
  CompletionParams,
  DeletedCompletion,
  StoredCompletion,
  UpdateStored,
} from "@/lib/answers/chat/stored-schema";
import { deleteStored } from "@/lib/answers/chat/write/delete-stored";
import { updateStored } from "@/lib/answers/chat/write/stored";
import { keyRoute } from "@/lib/platform/auth/key-route";
import { methodNotAllowed } from "@/lib/platform/http/methods";

export const GET = keyRoute("chat:completions", {
  operationId: "getChatCompletion",
  summary: "Get a stored answer with its evidence.",
  params: CompletionParams,
  answer: StoredCompletion,
  handle: ({ ctx, params }) => getStored(ctx, params.completion_id),
});

export const POST = keyRoute("chat:completions", {
  operationId: "updateChatCompletion",
  summary: "Replace a stored answer's metadata; nothing else can be changed.",
  params: CompletionParams,
  body: UpdateStored,
  answer: StoredCompletion,
  handle: ({ ctx, params, body }) => updateStored(ctx, { ...body, id: params.completion_id }),
});

export const DELETE = keyRoute("chat:completions", {
  operationId: "deleteChatCompletion",
  summary: `Delete a stored answer with its messages and evidence. ${COPIES_STAY}`,
  params: CompletionParams,
  answer: DeletedCompletion,
  handle: ({ ctx, params }) => deleteStored(ctx, params.completion_id),
});

export const { PUT, PATCH } = methodNotAllowed({ GET, POST, DELETE });
