import type { FieldNames } from "@/lib/answers/builtin/fields";
import { hasToolMedia, listUnsupported, offersTools } from "@/lib/answers/builtin/unsupported";
import {
  type CitationsOptions,
  citationFields,
  type Warning,
} from "@/lib/answers/citations/schema";
import { invalidRequest } from "@/lib/errors";
import type { Model } from "@/lib/models/catalogue";
import { listLostOptions } from "@/lib/models/model-request";
import { isSent } from "@/lib/models/restricted-fields";
import type { ModelRequest } from "@/lib/models/schema";

/** What is answered without something the request asked for; the codes are in docs/errors.md. */

export function toolLeftOut(type: string): Warning {
  const name = type.slice(0, 60);
  return {
    code: "tool_left_out",
    message: `The tool '${name}' can't be run here, so the model was asked without it. Functions are the tools of your own.`,
  };
}

export function itemLeftOut(type: string): Warning {
  return {
    code: "item_left_out",
    message: `The items of type '${type}' belong to a tool that ran elsewhere, so the model doesn't see them. Send what they say in a message.`,
  };
}

/** What of a request goes to a model, and what is said about the rest. Throws as `leaveOutTools` does. */
export function leaveOut(
  asked: ModelRequest,
  { allowFields }: Pick<Model, "allowFields">,
  before: readonly Warning[] = [],
): { own: ModelRequest; warnings: Warning[] } {
  const { request: own, warnings } = leaveOutTools(asked, allowFields);
  return { own, warnings: [...before, ...warnings, ...warningsOfFields(own, allowFields)] };
}

/** What the model that answers ignores, as the one asked for or as its fallback: the built-in model only quotes. */
export function warningsOfModel(
  { request, origin }: { request: ModelRequest; origin: { fields: FieldNames } },
  { id, upstream }: Pick<Model, "id" | "upstream">,
): Warning[] {
  if (upstream) {
    return [];
  }
  const tools = `${id} quotes sources and calls no tools, so it answers without those in the request.`;
  const ignored = listUnsupported(request, origin.fields).map(({ what }) => what);
  return [
    ...(offersTools(request) ? [{ code: "tool_left_out", message: tools }] : []),
    ...[...ignored, ...(hasToolMedia(request) ? ["images and files as the output of a tool"] : [])]
      .filter((what) => what !== "tools")
      .map((what) => ({
        code: "field_left_out",
        message: `${id} quotes sources and doesn't support ${what}, so it answers without.`,
      })),
  ];
}

/** Tools that an upstream would run itself may cost money: a model gets those that its entry in MODELS allows. */
const CALLABLE = new Set(["function", "custom"]);

/**
 * The request without the tools that nobody here runs, each in a warning. Throws invalid_request when the choice of
 * tools leaves the model nothing else.
 */
export function leaveOutTools(
  request: ModelRequest,
  allowFields: readonly string[],
): { request: ModelRequest; warnings: Warning[] } {
  const tools: unknown[] = Array.isArray(request.tools) ? request.tools : [];
  const isUsed = (tool: unknown) => {
    const type = typeOfTool(tool);
    return type === null || CALLABLE.has(type) || allowFields.includes(`tools.${type}`);
  };
  const used = tools.filter(isUsed);
  const types = [...new Set(tools.filter((tool) => !isUsed(tool)).flatMap(typeOfTool))];
  const choice = choiceWithout(request.tool_choice, isUsed);
  if (choice.forced !== null || (types.length > 0 && used.length === 0 && choice.isRequired)) {
    const name = String(choice.forced ?? types[0]).slice(0, 60);
    throw invalidRequest(
      `'tool_choice' requires the tool '${name}', which can't be run here. Send "auto", or name a function.`,
      "tool_choice",
    );
  }
  if (types.length === 0) {
    return { request, warnings: [] };
  }
  const { tools: _tools, tool_choice: _choice, parallel_tool_calls: parallel, ...rest } = request;
  return {
    request: {
      ...rest,
      // Upstreams refuse a choice without tools.
      ...(used.length > 0 && {
        tools: used,
        ...(choice.sent !== undefined && { tool_choice: choice.sent }),
        ...(parallel !== undefined && { parallel_tool_calls: parallel }),
      }),
    },
    warnings: types.map((type) => toolLeftOut(String(type))),
  };
}

/** Some upstreams' own tools have a name and no type, such as `{"google_search": {}}`; null for what upstreams may judge. */
function typeOfTool(tool: unknown): string | null {
  if (typeof tool !== "object" || tool === null || Array.isArray(tool)) {
    return null;
  }
  const type = Reflect.get(tool, "type");
  const name = typeof type === "string" ? type : (Object.keys(tool)[0] ?? null);
  return typeof type !== "string" && "function" in tool ? "function" : name;
}

/** The choice among the tools used. `forced`: the tool it names that isn't. */
function choiceWithout(choice: unknown, isUsed: (tool: unknown) => boolean) {
  const open = { sent: choice, forced: null, isRequired: choice === "required" };
  if (typeof choice !== "object" || choice === null) {
    return open;
  }
  const { type, allowed_tools: allowed } = choice as {
    type?: unknown;
    allowed_tools?: { mode?: unknown; tools?: unknown };
  };
  if (type === "allowed_tools" && Array.isArray(allowed?.tools)) {
    const tools = allowed.tools.filter(isUsed);
    const isRequired = allowed.mode === "required";
    const isEmpty = isRequired && tools.length === 0 && allowed.tools.length > 0;
    return {
      sent: tools.length > 0 ? { type, allowed_tools: { ...allowed, tools } } : "none",
      forced: isEmpty ? typeOfTool(allowed.tools[0]) : null,
      isRequired,
    };
  }
  return type === "allowed_tools" || isUsed(choice)
    ? open
    : { ...open, forced: typeOfTool(choice) };
}

/** Fields that say what other services or libraries call a search. */
const MISTAKEN = new Set([
  ...["extra_body", "search_results", "data_sources", "vector_store_ids", "file_search"],
  // Many upstreams have a sampling option with the same name as one of our fields.
  ...Object.keys(citationFields).filter((name) => name !== "top_k"),
]);

const MOST_FIELDS = 10;

/** Warnings of fields that the model doesn't get, and of those that are taken for `citations`. */
export function warningsOfFields(request: ModelRequest, allowFields: readonly string[]): Warning[] {
  const asked = Object.keys(request).filter((field) => !isUsual(field, request[field]));
  const lost = listLostOptions(request, allowFields).map((option) => ({
    code: "field_left_out",
    message: `'${option.slice(0, 60)}' of a message, a part of one or a tool wasn't sent to the model, because it can change the price of a request.`,
  }));
  return asked
    .flatMap((field): Warning[] => {
      const name = field.slice(0, 60);
      if (isMistaken(field)) {
        const message = `'${name}' turns no search on. Sources are asked for by 'citations', with its options inside.`;
        return [{ code: "field_unknown", message }];
      }
      const message = `'${name}' wasn't sent to the model, because it can change the price or the route of a request.`;
      return isSent(field, allowFields) ? [] : [{ code: "field_left_out", message }];
    })
    .concat(lost)
    .slice(0, MOST_FIELDS);
}

/** What upstreams do without the field. */
function isUsual(field: string, value: unknown): boolean {
  const isDefaultTier = field === "service_tier" && (value === "auto" || value === "default");
  const isText = field === "modalities" && JSON.stringify(value) === '["text"]';
  const isLimit = field === "max_tokens" || field === "max_completion_tokens";
  return isLimit || value === null || value === undefined || isDefaultTier || isText;
}

function isMistaken(field: string): boolean {
  const name = field.toLowerCase().replace(/[^a-z]/g, "");
  return MISTAKEN.has(field) || name.includes("citation") || isLike(name, "citations");
}

/** Whether two names share most of their pairs of letters. */
function isLike(name: string, other: string): boolean {
  const pairsOf = (word: string) => new Set([...word].map((_, at) => word.slice(at, at + 2)));
  const [pairs, others] = [pairsOf(name), pairsOf(other)];
  const shared = [...pairs].filter((pair) => others.has(pair)).length;
  return name.length <= 20 && (2 * shared) / (pairs.size + others.size) > 0.6;
}

/** Of an answer that was asked for in JSON. */
export const JSON_NOT_CITED: Warning = {
  code: "json_not_cited",
  message:
    "The answer was asked for in JSON and isn't valid JSON, so it wasn't checked: it has no annotations and no verification.",
};

/** The options that change text, of an answer in JSON, which a program reads. */
export function jsonUnchanged(options: CitationsOptions): Warning[] {
  const { on_unsupported, render, numbering } = options;
  const without = Object.entries({
    on_unsupported: on_unsupported === "strip",
    render: render !== "markers",
    numbering: numbering !== "source",
  }).flatMap(([name, isAsked]) => (isAsked ? [`'citations.${name}'`] : []));
  const message = `The answer is JSON and stays as the model wrote it. Without effect: ${without.join(", ")}.`;
  return without.length > 0 ? [{ code: "json_unchanged", message }] : [];
}
