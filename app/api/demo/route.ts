import { DemoQuestion } from "@/lib/answers/demo/schema";
import { askDemo } from "@/lib/answers/demo/write";
import { sameOrigin } from "@/lib/platform/auth/session-gate";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: sameOrigin,
  body: DemoQuestion,
  handle: ({ ctx, body }) => askDemo(ctx, body),
});
