import { admitPart } from "@/lib/library/documents/read-part";
import { IdParams } from "@/lib/library/documents/schema";
import { AddPart, UploadPart } from "@/lib/library/documents/upload-schema";
import { addPart } from "@/lib/library/documents/write/uploads";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  operationId: "addUploadPart",
  summary: "Send a part of an upload.",
  gate: apiKey("kb:documents:write"),
  params: IdParams,
  accepts: "multipart/form-data",
  admit: admitPart,
  body: AddPart,
  answer: UploadPart,
  handle: ({ params, body }) => addPart(params, body),
});
