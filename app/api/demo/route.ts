import { sameOrigin } from "@/lib/auth/session-gate";
import { DemoQuestion } from "@/lib/demo/schema";
import { askDemo } from "@/lib/demo/write";
import { onlyPost } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: sameOrigin,
  body: DemoQuestion,
  handle: ({ ctx, body }) => askDemo(ctx, body),
});
