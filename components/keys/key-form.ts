import type { FieldErrors, Resolver, ResolverResult, UseFormSetError } from "react-hook-form";
import type { ZodError } from "zod";
import { fieldReason } from "@/components/auth/form-errors";
import { AppError } from "@/lib/errors";
import { CreateKey, type Key, type KeySettings, UpdateKey } from "@/lib/money/keys/schema";
import {
  ALL_MODELS,
  KNOWLEDGE_SCOPES,
  type KnowledgeScope,
  SCOPES,
  type Scope,
} from "@/lib/platform/auth/schema";
import { plainIssue } from "@/lib/platform/http/plain-issues";

const DAY_MS = 24 * 60 * 60 * 1000;

/** What a key is for, as scopes. */
const ACCESS = {
  search: ["kb:search", "kb:documents:read"],
  chat: ["chat:completions", "kb:search"],
  /** Keys that create keys must be chosen explicitly. */
  everything: SCOPES.filter((scope) => scope !== "keys:write"),
} as const satisfies Record<string, readonly Scope[]>;

/** The values of the form. Errors of a CreateKey field belong to the field of the same name. */
export type KeyForm = typeof NEW_KEY;

export const NEW_KEY = {
  name: "",
  mode: "live" as Key["mode"],
  preset: "company" as "company" | "personal" | "custom",
  /** Used by the custom preset only. */
  knowledge_scopes: ["public_kb"] as KnowledgeScope[],
  /** Empty for all documents of the knowledge bases. */
  stores: [] as string[],
  person_kind: "member" as "member" | "external",
  person: "",
  access: "chat" as keyof typeof ACCESS | "custom",
  /** Used by custom access only. */
  scopes: ["chat:completions", "kb:search"] as Scope[],
  model_choice: "all" as "default" | "all" | "chosen",
  models: [] as string[],
  query_mode: "last" as Key["query_mode"],
  expiry: "never" as "never" | "30" | "90" | "365" | "date",
  /** A day, in the format of a date input. */
  expires_at: "",
  /** As typed; empty for no budget. */
  monthly_budget_usd: "",
  /** As typed; empty for the server's limits. */
  requests_per_minute: "",
  tokens_per_minute: "",
};

const PRESETS = {
  company: ["public_kb", "customer_kb"],
  personal: ["public_kb", "personal_kb"],
} as const satisfies Record<string, readonly KnowledgeScope[]>;

export function knowledgeOf(form: Pick<KeyForm, "preset" | "knowledge_scopes">): KnowledgeScope[] {
  return form.preset === "custom" ? form.knowledge_scopes : [...PRESETS[form.preset]];
}

function scopesOf({ access, scopes }: Pick<KeyForm, "access" | "scopes">): Scope[] {
  return access === "custom" ? scopes : [...ACCESS[access]];
}

export function toCreateKey(form: KeyForm, now = Date.now()): CreateKey {
  const knowledge = knowledgeOf(form);
  // A knowledge base may have been chosen before it was left out.
  const stores = form.stores.filter((store) =>
    KNOWLEDGE_SCOPES.every((scope) => scope !== store || knowledge.includes(scope)),
  );
  const isForSomeoneElse = knowledge.includes("personal_kb") && form.person_kind === "external";
  return {
    ...toUpdateKey(form),
    mode: form.mode,
    scopes: scopesOf(form),
    knowledge_scopes: knowledge,
    stores: stores.length > 0 ? stores : null,
    person: isForSomeoneElse ? form.person : null,
    expires_at: expiryOf(form, now),
  };
}

/** The part of the form that can change after the key was created. */
export function toUpdateKey(form: KeyForm): KeySettings {
  return {
    name: form.name,
    models: MODELS_OF[form.model_choice](form.models),
    query_mode: form.query_mode,
    monthly_budget_usd: budgetOf(form),
    requests_per_minute: countOf(form.requests_per_minute),
    tokens_per_minute: countOf(form.tokens_per_minute),
  };
}

const MODELS_OF: Record<KeyForm["model_choice"], (chosen: string[]) => string[] | null> = {
  default: () => null,
  all: () => [ALL_MODELS],
  chosen: (models) => models,
};

/** The form of an existing key, without models that have left the catalog. */
export function toKeyForm(key: Key, models: readonly { id: string }[]): KeyForm {
  const known = models.map(({ id }) => id);
  const hasAll = key.models?.includes(ALL_MODELS);
  return {
    ...NEW_KEY,
    name: key.name,
    model_choice: !key.models ? "default" : hasAll ? "all" : "chosen",
    models: key.models?.filter((model) => known.includes(model)) ?? [],
    query_mode: key.query_mode,
    // 12.5 for 12.500000.
    monthly_budget_usd: key.monthly_budget_usd?.replace(/\.?0+$/, "") ?? "",
    requests_per_minute: key.requests_per_minute?.toString() ?? "",
    tokens_per_minute: key.tokens_per_minute?.toString() ?? "",
  };
}

function expiryOf({ expiry, expires_at }: KeyForm, now: number): string | null {
  if (expiry === "never") {
    return null;
  }
  if (expiry !== "date") {
    return new Date(now + Number(expiry) * DAY_MS).toISOString();
  }
  // The end of that day in the viewer's time zone.
  const end = new Date(`${expires_at}T23:59:59`);
  return Number.isNaN(end.getTime()) ? null : end.toISOString();
}

/** Strips currency sign and thousands separators: `$1,250.50` is `1250.50`. */
function budgetOf({ monthly_budget_usd }: KeyForm): string | null {
  return withoutCommas(monthly_budget_usd.trim().replace(/^\$\s*/, "")) || null;
}

/** NaN for anything but a number, which the schema then rejects. */
function countOf(typed: string): number | null {
  const plain = withoutCommas(typed.trim());
  return plain === "" ? null : Number(plain);
}

function withoutCommas(typed: string): string {
  return typed.replaceAll(/,(?=\d{3}(?!\d))/g, "");
}

/** Validates the form of a new key by CreateKey and two rules of the form itself. */
export const resolveKeyForm: Resolver<KeyForm> = (form) =>
  resolve(form, CreateKey.safeParse(toCreateKey(form), { error: plainIssue }).error);

export const resolveKeyChange: Resolver<KeyForm> = (form) =>
  resolve(form, UpdateKey.safeParse(toUpdateKey(form), { error: plainIssue }).error);

function resolve(form: KeyForm, error: ZodError | undefined): ResolverResult<KeyForm> {
  const errors: FieldErrors<KeyForm> = Object.fromEntries(
    // The first of a field is the one to fix first.
    (error?.issues ?? [])
      .toReversed()
      .map(({ path, message }) => [String(path[0]), { type: "schema", message }]),
  );
  if (form.model_choice === "chosen" && form.models.length === 0) {
    errors.models = { type: "form", message: "Choose at least one model." };
  }
  if (form.expiry === "date" && !form.expires_at) {
    errors.expires_at = { type: "form", message: "Choose an expiration date." };
  }
  return Object.keys(errors).length > 0 ? { values: {}, errors } : { values: form, errors: {} };
}

/** Also shows a server error beside the field it concerns. */
export function showFieldError(setError: UseFormSetError<KeyForm>, error: Error): void {
  const field = error instanceof AppError ? fieldOf(error.param) : null;
  if (field) {
    setError(field, { message: fieldReason(error) }, { shouldFocus: true });
  }
}

/** The form field of an error's `param`, such as `models.0`; null if the form has none. */
export function fieldOf(param: string | null): keyof KeyForm | null {
  const name = param?.split(".")[0] ?? "";
  return Object.hasOwn(NEW_KEY, name) ? (name as keyof KeyForm) : null;
}
