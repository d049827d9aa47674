import type { Tone } from "@/components/ui/badge";
import { formatUsd } from "@/components/ui/usd";
import { formatCount } from "@/lib/format-count";
import type { Key } from "@/lib/money/keys/schema";
import { ALL_MODELS, type KnowledgeScope, type Scope } from "@/lib/platform/auth/schema";

export const KEYS_PAGE = {
  title: "API keys",
  description:
    "Use one key per service. Keep keys on your server, and revoke any that may have leaked.",
};

/** The dialogs of the page; all but the first concern one key. */
export type KeyDialogKind = { kind: "create" } | { kind: "edit" | "rotate" | "revoke"; id: string };

export type ShowDialog = (dialog: KeyDialogKind) => void;

export const SCOPE_LABELS: Record<Scope, string> = {
  "chat:completions": "Create chat completions and list models.",
  "kb:search": "Search knowledge bases.",
  "kb:documents:write": "Upload and delete documents.",
  "kb:documents:read": "Read documents and their processing jobs.",
  "billing:read": "Read the balance and prices.",
  "billing:write": "Start checkouts that add funds.",
  "keys:write": "Create and manage keys with at most this key's permissions.",
};

export const KNOWLEDGE_LABELS: Record<KnowledgeScope, { name: string; about: string }> = {
  public_kb: { name: "Public", about: "Medical sources curated by this service." },
  customer_kb: { name: "Account", about: "Your account’s documents." },
  personal_kb: { name: "Personal", about: "One person’s documents." },
};

export const QUERY_MODE_LABELS: Record<Key["query_mode"], { name: string; about: string }> = {
  last: { name: "Last message", about: "Follow-up questions must name their subject." },
  conversation: {
    name: "Conversation",
    about: "Follow-up questions take their subject from earlier messages.",
  },
};

export const STATUS_LABELS: Record<Key["status"], { name: string; tone: Tone }> = {
  usable: { name: "Active", tone: "success" },
  expired: { name: "Expired", tone: "warning" },
  revoked: { name: "Revoked", tone: "neutral" },
};

export const MODE_LABELS: Record<Key["mode"], { name: string; tone: Tone }> = {
  live: { name: "Live", tone: "accent" },
  test: { name: "Test", tone: "neutral" },
};

const ACTIONS = [
  { kind: "edit", name: "Edit", needs: "change", statuses: ["usable"] },
  { kind: "rotate", name: "Rotate", needs: "change", statuses: ["usable"] },
  { kind: "revoke", name: "Revoke", needs: "revoke", statuses: ["usable", "expired"] },
] as const;

/** What the member may do with the key now. */
export function actionsOf({
  status,
  permissions,
}: Key): Pick<(typeof ACTIONS)[number], "kind" | "name">[] {
  return ACTIONS.filter(
    ({ needs, statuses }) =>
      permissions.includes(needs) && statuses.some((allowed) => allowed === status),
  );
}

/** Such as "$1.230045 of $50.00 this month". */
export function formatMonth({ monthly_budget_usd: budget, month_spend_usd: spend }: Key): string {
  return `${formatUsd(spend)}${budget === null ? "" : ` of ${formatUsd(budget)}`} this month`;
}

/** Such as "Public, personal", or for a bound key "2 vector stores". */
export function formatKnowledge(key: Key): string {
  if (key.stores) {
    return formatCount(key.stores.length, "vector store");
  }
  const names = key.knowledge_scopes.map((scope) => KNOWLEDGE_LABELS[scope].name).join(", ");
  return names ? names.charAt(0) + names.slice(1).toLowerCase() : "None";
}

/** Such as "Default model" or "3 models"; a single one by its ID. */
export function formatModels(key: Key): string {
  if (!key.models) {
    return "Default model";
  }
  if (key.models.includes(ALL_MODELS)) {
    return "All models";
  }
  return key.models.length === 1 ? key.models.join() : `${key.models.length} models`;
}
