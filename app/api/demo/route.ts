import { sameOrigin } from "@/lib/auth/session-gate";
import { DemoQuestion } from "@/lib/demo/schema";
import { askDemo } from "@/lib/demo/write";
import { onlyPost } from "@/lib/http/only-method";
import { clientAddress } from "@/lib/http/request";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: sameOrigin,
  body: DemoQuestion,
  handle: ({ ctx, body, request }) => {
    const address = clientAddress(request.headers.get("x-forwarded-for"));
    return askDemo({ ...ctx, address, signal: request.signal }, body);
  },
});
