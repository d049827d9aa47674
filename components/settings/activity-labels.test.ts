import { describe, expect, it } from "vitest";
import type { Action, AuditEvent } from "@/lib/platform/audit/schema";
import { formatActor, formatEvent } from "./activity-labels";

function event(action: Action | "later.invented", facts: Partial<AuditEvent> = {}): AuditEvent {
  return {
    id: "aud_1",
    object: "audit_event",
    action,
    actor: { kind: "member", id: "mem_1", name: "Ana" },
    target: { id: "x_1", name: "Prod" },
    details: {},
    request_id: null,
    created_at: "2026-11-21T10:00:00.000Z",
    ...facts,
  };
}

describe("formatEvent and formatActor", () => {
  it.each<[Action, Partial<AuditEvent>, string]>([
    ["key.created", {}, "created the key “Prod”"],
    ["key.revoked", { target: { id: "key_1", name: null } }, "revoked the key key_1"],
    [
      "key.changed",
      { details: { changed: ["name", "monthly_budget_micros"] } },
      "changed the key “Prod”: name, budget",
    ],
    ["member.invited", { details: { role: "owner" } }, "invited Prod as an owner"],
    ["member.role_changed", { details: { role: "member" } }, "changed Prod’s role to member"],
    ["member.removed", {}, "removed Prod"],
    ["member.removed", { target: { id: "mem_1", name: "Ana" } }, "left the account"],
    ["sessions.ended", { details: { count: 1 } }, "ended one of their sessions"],
    ["sessions.ended", { details: { count: 3 } }, "ended 3 of their sessions"],
    ["low_balance.changed", {}, "turned off the low-balance email"],
    [
      "low_balance.changed",
      { details: { amount_usd: "5.000000" } },
      "set the low-balance email to $5.00",
    ],
    ["funds.added", { details: { amount_usd: "25.000000" } }, "added funds: $25.00"],
    ["funds.refunded", { details: { amount_usd: "25.000000" } }, "refunded $25.00"],
  ])("describes %s with %j", (action, facts, text) => {
    expect(formatEvent(event(action, facts))).toBe(text);
  });

  it("names the person, key or payment provider that acted", () => {
    const by = (actor: AuditEvent["actor"]) => formatActor(event("funds.added", { actor }));
    expect(by({ kind: "member", id: "mem_1", name: "Ana" })).toBe("Ana");
    expect(by({ kind: "member", id: "mem_1", name: null })).toBe("mem_1");
    expect(by({ kind: "key", id: "key_1", name: "Prod" })).toBe("Key Prod");
    expect(by({ kind: "system", id: "stripe", name: "stripe" })).toBe("Stripe");
  });

  it("falls back to the raw action", () => {
    expect(formatEvent(event("later.invented"))).toBe("later.invented Prod");
  });
});
