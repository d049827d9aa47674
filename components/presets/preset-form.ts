import { KNOWLEDGE_SCOPES } from "@/lib/platform/auth/schema";
import { CHOICES, type ChoiceName } from "./labels";

export type PresetForm = Record<ChoiceName, string> & {
  name: string;
  model: string;
  /** None: all that the key may read. */
  sources: string[];
  /** Digits, or empty for the default. */
  top_k: string;
  /** Whether requests fail when the search can't run. */
  required: boolean;
};

/** Citation settings that the form doesn't show are kept as they are. */
type Citations = Record<string, unknown>;

export const NEW_PRESET: Citations = { required: true, on_empty: "say_so" };

export function toForm(citations: Citations, { name, model }: { name: string; model: string }) {
  const choices = CHOICES.map((choice) => {
    const value = String(citations[choice.name] ?? "");
    const [unset] = Object.keys(choice.options);
    return [choice.name, value in choice.options ? value : unset];
  });
  const { sources, top_k, required } = citations;
  return {
    ...Object.fromEntries(choices),
    name,
    model,
    sources: Array.isArray(sources) ? sources.map(String) : [],
    top_k: top_k === undefined ? "" : String(top_k),
    required: required === true,
  } as PresetForm;
}

/** The settings that the form asks for, over those that a preset already has. */
export function toCitations(form: PresetForm, earlier: Citations = {}): Citations {
  const chosen = KNOWLEDGE_SCOPES.filter((source) => form.sources.includes(source));
  const set: Citations = {
    ...Object.fromEntries(CHOICES.map(({ name }) => [name, form[name] || undefined])),
    sources: chosen.length > 0 && chosen.length < KNOWLEDGE_SCOPES.length ? chosen : undefined,
    top_k: form.top_k.trim() ? Number(form.top_k) : undefined,
    required: form.required,
  };
  const all = { ...earlier, ...set };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
