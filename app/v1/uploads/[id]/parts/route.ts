import { admitPart } from "@/lib/library/documents/read-part";
import { IdParams } from "@/lib/library/documents/schema";
import { AddPart, UploadPart } from "@/lib/library/documents/upload-schema";
import { addPart } from "@/lib/library/documents/write/uploads";
import { keyPost } from "@/lib/platform/auth/key-route";

export const { GET, POST, PUT, PATCH, DELETE } = keyPost("kb:documents:write", {
  operationId: "addUploadPart",
  summary: "Send a part of an upload.",
  params: IdParams,
  accepts: "multipart/form-data",
  admit: admitPart,
  body: AddPart,
  answer: UploadPart,
  handle: ({ params, body }) => addPart(params, body),
});
