import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { activityQuery } from "@/lib/audit/client";
import { fetchJson } from "@/lib/fetch-json";
import type {
  ChangePassword,
  ChangeRole,
  CloseAccount,
  Invite,
  RenameAccount,
  RenameMember,
  Settings,
} from "./settings-schema";

/** The member, their account and its members. */
export const settingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: ({ signal }) => fetchJson("/api/settings", { schema: settingsSchema, signal }),
});

/** Changes the member's own name. */
export function useRenameMember() {
  return useSettingsChange((input: RenameMember) => change("/api/settings/profile", input));
}

/** Changes the account's name. */
export function useRenameAccount() {
  return useSettingsChange((input: RenameAccount) => change("/api/settings/account", input));
}

/** Changes the member's password, which ends their other sessions. */
export function useChangePassword() {
  return useSettingsChange((input: ChangePassword) => change("/api/settings/password", input));
}

/** Ends the session with this id. */
export function useEndSession() {
  return useSettingsChange((id: string) =>
    change(`/api/settings/sessions/${encodeURIComponent(id)}/end`),
  );
}

/** Ends all sessions but this one. */
export function useEndOtherSessions() {
  return useSettingsChange(() => change("/api/settings/sessions/end-others"));
}

/** Changes what another member, or oneself, may do. */
export function useChangeRole() {
  return useSettingsChange(({ id, role }: ChangeRole & { id: string }) =>
    change(`/api/members/${encodeURIComponent(id)}/role`, { role }),
  );
}

/** Takes an invitation back. */
export function useRevokeInvitation() {
  return useSettingsChange((id: string) =>
    change(`/api/members/invitations/${encodeURIComponent(id)}/revoke`),
  );
}

/** Invites somebody; the answer may hold the link. */
export function useInvite() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Invite) =>
      fetchJson("/api/members/invitations", {
        schema: async () => (await import("./settings-schema")).Invited,
        method: "POST",
        body: input,
      }),
    // The link is a secret, so nothing keeps it longer than the dialog that shows it.
    gcTime: 0,
    onSuccess: ({ settings }) => keep(client, settings),
  });
}

/** Removes a member; who removes themselves is signed out by it. */
export function useRemoveMember() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => end(`/api/members/${encodeURIComponent(id)}/remove`),
    onSuccess: (_, removed) => {
      const settings = client.getQueryData(settingsQuery.queryKey);
      if (settings) {
        keep(client, {
          ...settings,
          members: settings.members.filter(({ id }) => id !== removed),
        });
      }
    },
  });
}

/** Deletes the account. */
export function useCloseAccount() {
  return useMutation({ mutationFn: (input: CloseAccount) => end("/api/settings/close", input) });
}

function useSettingsChange<I>(send: (input: I) => Promise<Settings>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: (settings) => keep(client, settings),
  });
}

/** What a deed made of the settings; its event is new as well, and nobody waits for that. */
function keep(client: QueryClient, settings: Settings): void {
  client.setQueryData(settingsQuery.queryKey, settings);
  void client.invalidateQueries({ queryKey: activityQuery.queryKey });
}

function change(path: string, body: object = {}): Promise<Settings> {
  return fetchJson(path, { schema: settingsSchema, method: "POST", body });
}

function end(path: string, body: object = {}) {
  return fetchJson(path, {
    schema: async () => {
      const z = await import("zod");
      return z.object({ id: z.string(), deleted: z.literal(true) });
    },
    method: "POST",
    body,
  });
}

async function settingsSchema() {
  return (await import("./settings-schema")).Settings;
}
