import { session } from "@/lib/auth/session-gate";
import { admitPart } from "@/lib/documents/read-part";
import { IdParams } from "@/lib/documents/schema";
import { AddPart } from "@/lib/documents/upload-schema";
import { addPart } from "@/lib/documents/write/uploads";
import { onlyPost } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  params: IdParams,
  accepts: "multipart/form-data",
  admit: admitPart,
  body: AddPart,
  handle: ({ params, body }) => addPart(params, body),
});
