import * as z from "zod";
import { FileSearchTool } from "@/lib/answers/chat/file-search";

const MAX_TOOLS = 128;

/** A union by `type` whose error names the unsupported type. */
export function supported(kind: string, types: string) {
  return ({ code, input }: { code?: string | undefined; input?: unknown }) => {
    const type =
      typeof input === "object" && input !== null && "type" in input ? input.type : undefined;
    return code === "invalid_union" && typeof type === "string"
      ? `${kind} of type '${type.slice(0, 60)}' isn't supported; use ${types}`
      : `expected ${kind} of type ${types}`;
  };
}

const FunctionTool = z.looseObject({
  type: z.literal("function"),
  name: z.string({ error: "expected the function's name" }).min(1).max(200),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
  strict: z.boolean().nullish(),
});

/** A tool whose input is text of any form. */
const CustomTool = z.looseObject({
  type: z.literal("custom"),
  name: z.string({ error: "expected the tool's name" }).min(1).max(200),
  description: z.string().nullish(),
  format: z.looseObject({ type: z.string() }).nullish(),
});

const TYPES = "file_search, function, custom or namespace";
const error = `expected a tool of type ${TYPES}`;
const KNOWN = new Set(["file_search", "function", "custom", "namespace"]);

/** A tool that runs elsewhere, such as web_search: of any type, so that the next one doesn't fail either. */
const HostedTool = z
  .looseObject({
    type: z
      .string({ error })
      .max(200)
      // A known tool that is wrong is reported as that tool.
      .refine((type) => !KNOWN.has(type), { error, abort: true }),
  })
  .describe("Any other tool is left out, and named in `warnings`.");

export const CallableTool = z.discriminatedUnion("type", [FunctionTool, CustomTool], { error });
export type CallableTool = z.output<typeof CallableTool>;

const Namespace = z.looseObject({
  type: z.literal("namespace"),
  name: z.string({ error: "expected the namespace's name" }).min(1).max(200),
  description: z.string().nullish(),
  tools: z.array(z.union([CallableTool, HostedTool])).max(MAX_TOOLS),
});

export const Tool = z.union([
  z.discriminatedUnion("type", [FileSearchTool, CallableTool, Namespace], { error }),
  HostedTool,
]);
export type Tool = z.output<typeof Tool>;

export const Tools = z.array(Tool).max(MAX_TOOLS, `send at most ${MAX_TOOLS} tools`);

const CHOICES = "function, custom, file_search or allowed_tools";
const name = z.string();

export const ToolChoice = z.union(
  [
    z.enum(["none", "auto", "required"]),
    z.discriminatedUnion(
      "type",
      [
        z.looseObject({ type: z.literal("function"), name, namespace: z.string().nullish() }),
        z.looseObject({ type: z.literal("custom"), name, namespace: z.string().nullish() }),
        z.looseObject({ type: z.literal("file_search") }),
        z.looseObject({
          type: z.literal("allowed_tools"),
          mode: z.enum(["auto", "required"]),
          tools: z
            .array(
              z.looseObject({
                type: z.string(),
                name: z.string().optional(),
                namespace: z.string().nullish(),
              }),
            )
            .max(MAX_TOOLS),
        }),
      ],
      { error: supported("a tool choice", CHOICES) },
    ),
  ],
  { error: `expected "none", "auto", "required" or an object of type ${CHOICES}` },
);
export type ToolChoice = z.output<typeof ToolChoice>;
