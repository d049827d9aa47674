import { NO_FILTER, toFilter } from "@/components/documents/filter-form";
import type { CitationsOptions } from "@/lib/answers/citations/schema";
import { PLAYGROUND_KNOWLEDGE, type PlaygroundPreset } from "@/lib/money/keys/playground";
import type { QueryMode } from "@/lib/platform/auth/schema";

type Choices = "search" | "query" | "verify" | "on_unsupported" | "on_empty" | "return" | "quotes";

/** What the API assumes, so the request omits it. */
const DEFAULTS: Pick<CitationsOptions, Exclude<Choices, "query">> & { query: QueryMode } = {
  search: "always",
  query: "last",
  verify: "auto",
  on_unsupported: "keep",
  on_empty: "answer",
  return: "all",
  quotes: true,
};

/** The playground's settings. Numbers and lists are stored as typed; empty means the API's default. */
export type Settings = ReturnType<typeof newSettings>;

export function newSettings(model: string) {
  return {
    ...DEFAULTS,
    query: "conversation" as QueryMode,
    preset: "company" as PlaygroundPreset,
    model,
    system: "",
    temperature: "",
    max_tokens: "",
    stream: true,
    store: false,
    enabled: true,
    required: true,
    on_empty: "say_so" as CitationsOptions["on_empty"],
    sources: PLAYGROUND_KNOWLEDGE.company,
    top_k: "",
    min_score: "",
    source_types: "",
    filters: NO_FILTER,
    document_ids: "",
    /** Shown in place of the id when there is one. */
    document_title: "",
  };
}

/** Changes the preset and selects all of its knowledge bases. */
export function withPreset(settings: Settings, preset: PlaygroundPreset): Settings {
  return { ...settings, preset, sources: PLAYGROUND_KNOWLEDGE[preset] };
}

export interface Message {
  role: "system" | "user" | "assistant";
  content: string;
}

/** The body of POST /v1/chat/completions. Omitted fields use the API's defaults. */
export interface RequestBody {
  model: string;
  messages: Message[];
  stream?: true;
  stream_options?: { include_usage: true };
  store?: true;
  temperature?: number;
  max_tokens?: number;
  citations?: Record<string, unknown>;
}

export function toRequest(settings: Settings, messages: readonly Message[]): RequestBody {
  const system = settings.system.trim();
  return {
    model: settings.model,
    messages: [...(system ? [{ role: "system" as const, content: system }] : []), ...messages],
    ...(settings.stream && { stream: true, stream_options: { include_usage: true } }),
    ...(settings.store && { store: true }),
    ...numberField("temperature", settings.temperature),
    ...numberField("max_tokens", settings.max_tokens),
    ...(settings.enabled && { citations: toCitations(settings) }),
  };
}

function toCitations(settings: Settings): Record<string, unknown> {
  const { sources, preset } = settings;
  const isAll = PLAYGROUND_KNOWLEDGE[preset].every((scope) => sources.includes(scope));
  const types = listOf(settings.source_types);
  const documents = listOf(settings.document_ids);
  const filters = toFilter(settings.filters);
  return {
    enabled: true,
    ...(settings.required && { required: true }),
    ...(!isAll && { sources }),
    ...numberField("top_k", settings.top_k),
    ...numberField("min_score", settings.min_score),
    ...(types.length > 0 && { source_types: types }),
    ...(filters && { filters }),
    ...(documents.length > 0 && { document_ids: documents }),
    ...Object.fromEntries(
      Object.entries(DEFAULTS).flatMap(([name, value]) => {
        const chosen = settings[name as Choices];
        return chosen === value ? [] : [[name, chosen]];
      }),
    ),
  };
}

/** What was typed with commas between. */
export function listOf(typed: string): string[] {
  return typed
    .split(",")
    .map((each) => each.trim())
    .filter(Boolean);
}

/** Invalid numbers are sent as typed, so the API's own error explains the problem. */
function numberField<N extends string>(name: N, typed: string): { [K in N]?: number } {
  const text = typed.trim();
  const value = Number.isFinite(Number(text)) ? Number(text) : text;
  return text ? ({ [name]: value } as { [K in N]: number }) : {};
}
