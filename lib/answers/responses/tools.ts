import { createHash } from "node:crypto";
import { findFileSearch } from "@/lib/answers/chat/file-search";
import { toolLeftOut } from "@/lib/answers/chat/left-out";
import type { Warning } from "@/lib/answers/citations/schema";
import { type AppError, invalidRequest } from "@/lib/errors";
import { oncePer } from "@/lib/text/memoized";
import type { ResponsesRequest } from "./schema";
import type { CallableTool, Tool, ToolChoice } from "./tool-schema";

/** How a call names its tool: agents find the tools of a namespace by both. */
export interface ToolName {
  name: string;
  namespace?: string | null | undefined;
}

/** A function or custom tool, of a namespace or not, as the model gets it. */
export interface Callable extends ToolName {
  /** The function's name in chat completions, which have no namespaces. */
  sentName: string;
  tool: CallableTool;
}

/** Upstreams refuse longer names. */
const LONGEST_NAME = 64;

/** The same for every request, so that a call in the history has the name of its tool. */
export function sentNameOf({ name, namespace }: ToolName): string {
  const joined = namespace ? `${namespace}__${name}` : name;
  if (!namespace || joined.length <= LONGEST_NAME) {
    return joined;
  }
  const digest = createHash("sha256").update(joined).digest("hex").slice(0, 8);
  return `${joined.slice(0, LONGEST_NAME - digest.length - 1)}_${digest}`;
}

/** The tools that a model may call, those of namespaces among them. */
function callablesOf(tools: readonly Tool[]): Callable[] {
  return tools.flatMap((tool) => {
    const namespace = isNamespace(tool) ? tool.name : undefined;
    return (isNamespace(tool) ? tool.tools : [tool]).flatMap((each) =>
      isCallable(each)
        ? [
            {
              name: each.name,
              ...(namespace !== undefined && { namespace }),
              sentName: sentNameOf({ name: each.name, namespace }),
              tool: each,
            },
          ]
        : [],
    );
  });
}

/** By the names that a model calls them by. Each piece of a stream asks for those of its request's tools. */
export const callablesByName = oncePer(
  (tools: readonly Tool[]) => new Map(callablesOf(tools).map((each) => [each.sentName, each])),
);

/** What a request's tools come to. */
export interface UsedTools {
  search: ReturnType<typeof findFileSearch>;
  callables: Callable[];
  /** Of the tools left out. */
  warnings: Warning[];
}

/** Throws invalid_request for tools that contradict each other, or the choice among them. */
export function readTools({ tools, tool_choice }: ResponsesRequest): UsedTools {
  const declared = tools ?? [];
  const choice = tool_choice ?? "auto";
  const search = findFileSearch(declared);
  const callables = allowedOf(callablesOf(declared), choice);
  const hosted = declared.flatMap(hostedTypesOf);
  const isSearched = search !== null && isSearchAllowed(choice);
  if (!search && typeof choice !== "string" && choice.type === "file_search") {
    throw invalidChoice(
      "'tool_choice' asks for file_search, which isn't among 'tools'. Add it, or leave 'tool_choice' out.",
    );
  }
  if (isRequired(choice) && callables.length === 0 && !isSearched) {
    throw invalidChoice(
      hosted.length > 0
        ? `'tool_choice' requires a call, and ${listOf(hosted)} can't be run here. Send "auto", or add a function or file_search.`
        : "'tool_choice' requires a call, and there is no tool to call. Add one to 'tools', or send \"auto\".",
    );
  }
  return { search, callables, warnings: [...new Set(hosted)].map(toolLeftOut) };
}

/** Those that are used. Others may carry credentials, which aren't repeated or stored. */
export function withoutHosted(tools: readonly Tool[]): Tool[] {
  return tools.filter((tool) => hostedTypesOf(tool).length === 0 || isNamespace(tool));
}

function hostedTypesOf(tool: Tool): string[] {
  if (isNamespace(tool)) {
    return tool.tools.flatMap((each) => (isCallable(each) ? [] : [each.type]));
  }
  return isCallable(tool) || tool.type === "file_search" ? [] : [tool.type];
}

type Namespace = Extract<Tool, { type: "namespace" }>;

function isNamespace(tool: Tool): tool is Namespace {
  return tool.type === "namespace";
}

function isCallable(tool: { type: string }): tool is CallableTool {
  return tool.type === "function" || tool.type === "custom";
}

export function isSearchAllowed(choice: ToolChoice): boolean {
  if (typeof choice === "string") {
    return choice !== "none";
  }
  return choice.type !== "allowed_tools" || choice.tools.some(({ type }) => type === "file_search");
}

function isRequired(choice: ToolChoice): boolean {
  return typeof choice === "string"
    ? choice === "required"
    : choice.type === "allowed_tools" && choice.mode === "required";
}

/** Throws invalid_request when the choice names a tool that isn't declared. */
function allowedOf(callables: Callable[], choice: ToolChoice): Callable[] {
  if (typeof choice === "string" || choice.type === "file_search") {
    return callables;
  }
  const named = choice.type === "allowed_tools" ? choice.tools : [choice];
  for (const each of named) {
    const isMissing = isCallable(each) && !callables.some((callable) => isNamed(callable, each));
    if (isMissing) {
      throw invalidChoice(
        `'tool_choice' names the function '${String(each.name).slice(0, 60)}', which isn't among 'tools'. Add it, or correct the name.`,
      );
    }
  }
  return choice.type === "allowed_tools"
    ? callables.filter((callable) => named.some((each) => isNamed(callable, each)))
    : callables;
}

/** The tool that a choice forces. */
export function chosenOf(callables: readonly Callable[], choice: ToolChoice): Callable | undefined {
  return typeof choice === "string" ? undefined : callables.find((each) => isNamed(each, choice));
}

interface Named {
  type: string;
  name?: unknown;
  namespace?: unknown;
}

function isNamed({ name, namespace, tool }: Callable, named: Named): boolean {
  if (named.type === "namespace") {
    return namespace === named.name;
  }
  const isThere = !named.namespace || named.namespace === namespace;
  return named.type === tool.type && named.name === name && isThere;
}

function listOf(types: readonly string[]): string {
  return [...new Set(types)].map((type) => `'${type.slice(0, 60)}'`).join(", ");
}

function invalidChoice(message: string): AppError {
  return invalidRequest(message, "tool_choice");
}
