import { formatUsd } from "@/components/ui/usd";
import type { AuditEvent } from "@/lib/platform/audit/schema";

const SYSTEM_NAMES: Record<string, string> = {
  stripe: "Stripe",
  simulated: "Simulated payments",
  footnote: "Footnote",
};

const SETTING_NAMES: Record<string, string> = {
  query_mode: "search query",
  monthly_budget_micros: "budget",
  requests_per_minute: "requests per minute",
  tokens_per_minute: "tokens per minute",
};

const ACTIONS: Record<string, (event: AuditEvent) => string> = {
  "key.created": (event) => `created ${formatKey(event)}${formatStores(event)}`,
  "key.changed": (event) => `changed ${formatKey(event)}${formatChanged(event)}`,
  "key.rotated": (event) => `rotated ${formatKey(event)}`,
  "key.revoked": (event) => `revoked ${formatKey(event)}`,
  "preset.created": (event) => `created the preset ${formatTarget(event)}`,
  "preset.changed": (event) => `changed the preset ${formatTarget(event)}`,
  "preset.deleted": (event) => `deleted the preset ${formatTarget(event)}`,
  "member.invited": (event) => `invited ${formatTarget(event)}${formatRole(event)}`,
  "invitation.revoked": (event) => `revoked the invitation for ${formatTarget(event)}`,
  "member.joined": (event) => `joined the account${formatRole(event)}`,
  "member.role_changed": (event) =>
    `changed ${formatTarget(event)}’s role${event.details.role ? ` to ${event.details.role}` : ""}`,
  "member.removed": (event) =>
    event.actor.id === event.target.id ? "left the account" : `removed ${formatTarget(event)}`,
  "password.changed": () => "changed their password",
  "password.reset": () => "reset their password",
  "sessions.ended": ({ details: { count } }) =>
    count === 1 ? "ended one of their sessions" : `ended ${count} of their sessions`,
  "account.renamed": () => "renamed the account",
  "originals.kept": () => "turned on storing original files",
  "originals.not_kept": () => "turned off storing original files",
  "checkout.started": (event) => `started a checkout${formatAmount(event, " for ")}`,
  "funds.added": (event) => `added funds${formatAmount(event, ": ")}`,
  "funds.refunded": (event) => `refunded${formatAmount(event, " ")}`,
  "funds.restored": (event) => `reversed a refund${formatAmount(event, " of ")}`,
  "low_balance.changed": (event) =>
    event.details.amount_usd
      ? `set the low-balance email${formatAmount(event, " to ")}`
      : "turned off the low-balance email",
  "sharing.changed": ({ details: { is_enabled } }) =>
    is_enabled ? "allowed sharing by link" : "turned off sharing by link",
  "link.created": () => "created a shared link",
  "link.revoked": () => "revoked a shared link",
};

/** Such as "Ana". */
export function formatActor({ actor }: AuditEvent): string {
  const name = actor.kind === "system" ? SYSTEM_NAMES[actor.id] : actor.name;
  return `${actor.kind === "key" ? "Key " : ""}${name ?? actor.id}`;
}

/** Such as "created the key “Prod”". Falls back to the raw action if it has no label. */
export function formatEvent(event: AuditEvent): string {
  return ACTIONS[event.action]?.(event) ?? `${event.action} ${formatTarget(event)}`;
}

function formatTarget({ target }: AuditEvent): string {
  return target.name ?? target.id;
}

function formatKey({ target }: AuditEvent): string {
  return target.name ? `the key “${target.name}”` : `the key ${target.id}`;
}

function formatStores({ details: { stores = [] } }: AuditEvent): string {
  return stores.length > 0 ? `, bound to ${stores.join(", ")}` : "";
}

function formatChanged({ details: { changed = [] } }: AuditEvent): string {
  const names = changed.map((setting) => SETTING_NAMES[setting] ?? setting);
  return names.length > 0 ? `: ${names.join(", ")}` : "";
}

function formatRole({ details: { role } }: AuditEvent): string {
  return role ? ` as ${role === "owner" ? "an owner" : "a member"}` : "";
}

function formatAmount({ details }: AuditEvent, before: string): string {
  return details.amount_usd ? `${before}${formatUsd(details.amount_usd)}` : "";
}
