import { formatUsd } from "@/components/ui/usd";
import type { AuditEvent } from "@/lib/audit/schema";

export const EVENT_NOUN = { one: "event", many: "events" };

const SYSTEM_NAMES: Record<string, string> = {
  stripe: "Stripe",
  simulated: "Simulated payments",
  footnote: "Footnote",
};

const SETTING_NAMES: Record<string, string> = {
  monthly_budget_micros: "budget",
  requests_per_minute: "requests a minute",
  tokens_per_minute: "tokens a minute",
};

type Say = (event: AuditEvent) => string;

const DEEDS: Record<string, Say> = {
  "key.created": (event) => `created ${formatKey(event)}`,
  "key.changed": (event) => `changed ${formatKey(event)}${formatChanged(event)}`,
  "key.rotated": (event) => `rotated ${formatKey(event)}`,
  "key.revoked": (event) => `revoked ${formatKey(event)}`,
  "member.invited": (event) => `invited ${formatTarget(event)}${formatRole(event)}`,
  "invitation.revoked": (event) => `revoked the invitation of ${formatTarget(event)}`,
  "member.joined": (event) => `joined the account${formatRole(event)}`,
  "member.role_changed": (event) =>
    `changed the role of ${formatTarget(event)}${formatRole(event, "to")}`,
  "member.removed": (event) =>
    event.actor.id === event.target.id ? "left the account" : `removed ${formatTarget(event)}`,
  "password.changed": () => "changed their password",
  "password.reset": () => "chose a new password by a link",
  "sessions.ended": ({ details: { count } }) =>
    count === 1 ? "ended a session of theirs" : `ended ${count} sessions of theirs`,
  "account.renamed": () => "renamed the account",
  "checkout.started": (event) => `started a checkout${formatAmount(event, " of ")}`,
  "funds.added": (event) => `added funds${formatAmount(event, ": ")}`,
  "funds.refunded": (event) => `took back funds${formatAmount(event, ": ")}`,
  "low_balance.changed": (event) =>
    event.details.amount_usd
      ? `set the low-balance email${formatAmount(event, " to ")}`
      : "switched the low-balance email off",
  "funds.restored": (event) => `gave back refunded funds${formatAmount(event, ": ")}`,
};

/** Such as "Ana". */
export function formatActor({ actor }: AuditEvent): string {
  switch (actor.kind) {
    case "system":
      return SYSTEM_NAMES[actor.id] ?? actor.id;
    case "key":
      return `Key ${actor.name ?? actor.id}`;
    case "member":
      return actor.name ?? actor.id;
  }
}

/** Such as "created the key “Prod”"; the plain action where this version knows no words for it. */
export function formatEvent(event: AuditEvent): string {
  return DEEDS[event.action]?.(event) ?? `${event.action} ${formatTarget(event)}`;
}

function formatTarget({ target }: AuditEvent): string {
  return target.name ?? target.id;
}

function formatKey({ target }: AuditEvent): string {
  return target.name ? `the key “${target.name}”` : `the key ${target.id}`;
}

function formatChanged({ details: { changed = [] } }: AuditEvent): string {
  return changed.length > 0
    ? `: ${changed.map((setting) => SETTING_NAMES[setting] ?? setting).join(", ")}`
    : "";
}

function formatRole({ details: { role } }: AuditEvent, preposition = "as"): string {
  return role ? ` ${preposition} ${role}` : "";
}

function formatAmount({ details }: AuditEvent, before: string): string {
  return details.amount_usd ? `${before}${formatUsd(details.amount_usd)}` : "";
}
