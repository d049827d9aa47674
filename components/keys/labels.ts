import type { Tone } from "@/components/ui/badge";
import type { KnowledgeScope, Scope } from "@/lib/auth/schema";
import type { Key } from "@/lib/keys/schema";

export const KEYS_PAGE = {
  title: "API keys",
  description: "Use one key per service, from servers only, and revoke a key that may have leaked.",
};

/** What each scope lets a key do, in a line. */
export const SCOPE_LABELS: Record<Scope, string> = {
  "chat:completions": "Create chat completions and list models.",
  "kb:search": "Search knowledge bases directly.",
  "kb:documents:write": "Upload and delete documents.",
  "kb:documents:read": "Read documents and the jobs that process them.",
  "billing:read": "Read the balance and the rates.",
  "billing:write": "Start checkouts that add to the balance.",
};

export const KNOWLEDGE_LABELS: Record<KnowledgeScope, { name: string; about: string }> = {
  public_kb: {
    name: "Public",
    about: "Medical knowledge curated by this service.",
  },
  customer_kb: { name: "Customer", about: "Your account’s documents." },
  personal_kb: { name: "Personal", about: "Documents of one person." },
};

export const STATUS_LABELS: Record<Key["status"], { name: string; tone: Tone }> = {
  usable: { name: "Usable", tone: "success" },
  expired: { name: "Expired", tone: "warning" },
  revoked: { name: "Revoked", tone: "neutral" },
};

export const MODE_LABELS: Record<Key["mode"], { name: string; tone: Tone }> = {
  live: { name: "Live", tone: "accent" },
  test: { name: "Test", tone: "neutral" },
};

/** What can be done with a key as it is. */
export function actionsOf({ status }: Key): { kind: "edit" | "rotate" | "revoke"; name: string }[] {
  const revoke = { kind: "revoke" as const, name: "Revoke" };
  if (status !== "usable") {
    return status === "expired" ? [revoke] : [];
  }
  return [{ kind: "edit", name: "Edit" }, { kind: "rotate", name: "Rotate" }, revoke];
}

/** Such as "Public, personal". */
export function listKnowledge(key: Key): string {
  const names = key.knowledge_scopes.map((scope) => KNOWLEDGE_LABELS[scope].name);
  return names.length > 0 ? toSentence(names.join(", ")) : "None";
}

/** Such as "Default model" or "3 models"; a single one by its id. */
export function formatModels(key: Key): string {
  if (!key.models) {
    return "Default model";
  }
  return key.models.length === 1 ? key.models.join() : `${key.models.length} models`;
}

function toSentence(text: string): string {
  return text.charAt(0) + text.slice(1).toLowerCase();
}
