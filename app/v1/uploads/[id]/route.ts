import { getUpload } from "@/lib/library/documents/read/uploads";
import { IdParams } from "@/lib/library/documents/schema";
import { Upload } from "@/lib/library/documents/upload-schema";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyGet } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  operationId: "getUpload",
  summary: "Get an upload, with the parts that have arrived.",
  gate: apiKey("kb:documents:write"),
  params: IdParams,
  answer: Upload,
  handle: ({ ctx, params }) => getUpload(ctx, params.id),
});
