import { fileSearchBounds, findFileSearch, isFileSearch, sourcesParamOf } from "./file-search";
import { CHAT_COMPLETIONS, type Origin } from "./plan";
import type { ChatRequest } from "./schema";

/**
 * A request with its file_search tools as `citations`, which win where they say something themselves, and the names of
 * its fields. Throws as `findFileSearch` does.
 */
export function withSearch(body: ChatRequest): { request: ChatRequest; origin: Origin } {
  const declared = body.tools ?? [];
  const search = findFileSearch(declared);
  if (!search) {
    return { request: body, origin: CHAT_COMPLETIONS };
  }
  const { tools: _tools, tool_choice, parallel_tool_calls, ...rest } = body;
  const tools = declared.filter((tool) => !isFileSearch(tool));
  const { isAllowed, choice } = withoutSearch(tool_choice);
  return {
    request: {
      ...rest,
      ...(isAllowed && { citations: { ...fileSearchBounds(search), ...body.citations } }),
      // Upstreams refuse a choice without tools.
      ...(tools.length > 0 && {
        tools,
        ...(choice !== undefined && { tool_choice: choice }),
        ...(parallel_tool_calls !== undefined && { parallel_tool_calls }),
      }),
    },
    origin: {
      ...CHAT_COMPLETIONS,
      ...(!body.citations?.sources && { sourcesParam: sourcesParamOf(declared) }),
    },
  };
}

/** The choice among the other tools. The search always runs, which is what "required" asks for. */
function withoutSearch(choice: unknown): { isAllowed: boolean; choice: unknown } {
  if (choice === "required" || isSearch(choice)) {
    return { isAllowed: true, choice: "auto" };
  }
  const allowed =
    typeof choice === "object" && choice !== null ? Reflect.get(choice, "allowed_tools") : null;
  if (!Array.isArray(allowed?.tools)) {
    return { isAllowed: choice !== "none", choice };
  }
  const tools = allowed.tools.filter((tool: unknown) => !isSearch(tool));
  const isAllowed = tools.length < allowed.tools.length;
  const mode = isAllowed ? "auto" : allowed.mode;
  return {
    isAllowed,
    choice: tools.length > 0 ? { type: "allowed_tools", allowed_tools: { mode, tools } } : "none",
  };
}

function isSearch(tool: unknown): boolean {
  return typeof tool === "object" && tool !== null && Reflect.get(tool, "type") === "file_search";
}
