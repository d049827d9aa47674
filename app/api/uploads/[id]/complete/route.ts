import { admitCompletion } from "@/lib/library/documents/read-part";
import { IdParams } from "@/lib/library/documents/schema";
import { CompleteConsoleUpload } from "@/lib/library/documents/upload-schema";
import { uploadInto } from "@/lib/library/documents/write/store-files";
import { completeUpload } from "@/lib/library/documents/write/uploads";
import { nextVersionOf } from "@/lib/library/documents/write/versions";
import { uploadContext } from "@/lib/money/keys/write/playground";
import { memberPost } from "@/lib/platform/auth/member-route";

/** Charged like an API upload, to the console's key. */
export const { GET, POST, PUT, PATCH, DELETE } = memberPost({
  params: IdParams,
  admit: admitCompletion,
  body: CompleteConsoleUpload,
  handle: async ({ ctx, params, body: { replaces, store, ...fields } }) => {
    const key = await uploadContext(ctx, fields.scope);
    const version = replaces
      ? await nextVersionOf(key, { id: replaces, scope: fields.scope })
      : { on_duplicate: "reuse" as const };
    const input = { ...fields, ...version };
    return uploadInto(key, store, () => completeUpload({ ctx, key, id: params.id }, input));
  },
});
