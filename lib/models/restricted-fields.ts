import * as z from "zod";

/**
 * Fields that change the price of a request, its route, or whose credentials pay for it, as OpenAI, gateways and model servers
 * name them. A model gets those that its entry in MODELS allows.
 */
export const RESTRICTED_FIELDS = [
  // Price: tiers, searches and tools of the upstream's own, caching.
  ...["service_tier", "speed", "priority", "inference_geo", "performance_config"],
  ...["web_search_options", "web_search", "enable_web_search", "search_parameters"],
  ...["enable_search", "search_options", "forced_search", "search_mode", "connectors"],
  ...["google_search", "grounding", "search_settings", "plugin", "prompt_cache_options"],
  ...["plugins", "mcp_servers", "container", "code_interpreter", "guardrails"],
  ...["audio", "modalities", "cache_control", "deferred", "background"],
  // How many answers, and how long.
  ...["best_of", "num_return_sequences", "num_completions", "candidate_count", "beam_width"],
  ...["use_beam_search", "n_predict", "num_predict", "max_new_tokens", "max_output_tokens"],
  ...["max_length", "max_tokens_to_sample", "generation_config", "options"],
  // Route.
  ...["models", "model_list", "route", "router_settings", "provider", "custom_llm_provider"],
  ...["fallbacks", "context_window_fallback_dict", "num_retries", "preset", "transforms"],
  ...["api_base", "base_url", "api_version", "api_type", "deployment_id", "region_name"],
  ...["organization", "project", "proxy", "endpoint", "mock_response"],
  // Credentials, and fields that carry any other.
  ...["api_key", "user_config", "extra_body", "extra_headers", "extra_query", "headers"],
] as const;

/** What an entry in MODELS may allow: a field, or a kind of tool that the upstream runs, such as `tools.web_search`. */
export const AllowedField = z.union([
  z.enum(RESTRICTED_FIELDS),
  z.string().regex(/^tools\.[\w-]+$/, "expected the name of a field, or tools.<type>"),
]);

/** Credentials and prices that gateways take by prefix or suffix: no entry allows them. */
const NEVER_SENT =
  /^(?:litellm|aws|vertex|azure|watsonx|bedrock|databricks|mock)|(?:api|access|secret|private|auth|session)(?:key|token)s?$|(?:baseurl|apibase|credentials?|password|secret)$|costper/;

const restricted = new Map<string, string>(
  RESTRICTED_FIELDS.map((field) => [normalized(field), field]),
);
const OUTPUT_LIMITS = ["max_tokens", "max_completion_tokens"];
/** Fields that bound the price. Some servers ignore how a name is spelled, so other spellings are dropped. */
const bounding = new Map([...OUTPUT_LIMITS, "n", "model", "stream"].map((f) => [normalized(f), f]));

/** Whether a field of a request goes to a model whose entry allows these. Output limits are sent apart. */
export function isSent(field: string, allowed: readonly string[]): boolean {
  const name = normalized(field);
  const known = restricted.get(name);
  if (known !== undefined) {
    return field === known && allowed.includes(known);
  }
  const bound = bounding.get(name);
  const isSpelled = bound === undefined || field === bound;
  return isSpelled && !OUTPUT_LIMITS.includes(field) && !NEVER_SENT.test(name);
}

function normalized(field: string): string {
  return field.toLowerCase().replace(/[^a-z0-9]/g, "");
}
