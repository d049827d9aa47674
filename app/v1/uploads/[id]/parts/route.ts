import { apiKey } from "@/lib/auth/api-key";
import { admitPart } from "@/lib/documents/read-part";
import { IdParams } from "@/lib/documents/schema";
import { AddPart, UploadPart } from "@/lib/documents/upload-schema";
import { addPart } from "@/lib/documents/write/uploads";
import { onlyPost } from "@/lib/http/only-method";

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
