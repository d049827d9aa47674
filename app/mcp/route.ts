import { McpMessage } from "@/lib/answers/mcp/schema";
import { mcpGate, serveMcp } from "@/lib/answers/mcp/serve";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: mcpGate,
  body: McpMessage,
  handle: ({ ctx, body, request }) => serveMcp(ctx, body, request),
});
