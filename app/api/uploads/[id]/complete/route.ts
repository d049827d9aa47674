import { session } from "@/lib/auth/session-gate";
import { admitCompletion } from "@/lib/documents/read-part";
import { IdParams } from "@/lib/documents/schema";
import { CompleteConsoleUpload } from "@/lib/documents/upload-schema";
import { completeUpload } from "@/lib/documents/write/uploads";
import { nextVersionOf } from "@/lib/documents/write/versions";
import { onlyPost } from "@/lib/http/only-method";
import { uploadContext } from "@/lib/keys/write/playground";

/** Charged like an API upload, to the console's key. */
export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  params: IdParams,
  admit: admitCompletion,
  body: CompleteConsoleUpload,
  handle: async ({ ctx, params, body: { replaces, ...fields } }) => {
    const key = await uploadContext(ctx, fields.scope);
    const version = replaces
      ? await nextVersionOf(key, { id: replaces, scope: fields.scope })
      : { on_duplicate: "reuse" as const };
    return completeUpload({ ctx, key, id: params.id }, { ...fields, ...version });
  },
});
