import { admitPart } from "@/lib/library/documents/read-part";
import { IdParams } from "@/lib/library/documents/schema";
import { AddPart } from "@/lib/library/documents/upload-schema";
import { addPart } from "@/lib/library/documents/write/uploads";
import { memberPost } from "@/lib/platform/auth/member-route";

export const { GET, POST, PUT, PATCH, DELETE } = memberPost({
  params: IdParams,
  accepts: "multipart/form-data",
  admit: admitPart,
  body: AddPart,
  handle: ({ params, body }) => addPart(params, body),
});
