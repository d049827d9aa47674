import { apiKey } from "@/lib/auth/api-key";
import { getUpload } from "@/lib/documents/read/uploads";
import { IdParams } from "@/lib/documents/schema";
import { Upload } from "@/lib/documents/upload-schema";
import { onlyGet } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  operationId: "getUpload",
  summary: "Get an upload, with the parts that have arrived.",
  gate: apiKey("kb:documents:write"),
  params: IdParams,
  answer: Upload,
  handle: ({ ctx, params }) => getUpload(ctx, params.id),
});
