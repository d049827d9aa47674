import { admitPart } from "@/lib/library/documents/read-part";
import { IdParams } from "@/lib/library/documents/schema";
import { AddPart } from "@/lib/library/documents/upload-schema";
import { addPart } from "@/lib/library/documents/write/uploads";
import { session } from "@/lib/platform/auth/session-gate";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  params: IdParams,
  accepts: "multipart/form-data",
  admit: admitPart,
  body: AddPart,
  handle: ({ params, body }) => addPart(params, body),
});
