import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { fetchJson } from "@/lib/fetch-json";
import { activityQuery } from "@/lib/platform/audit/client";
import type {
  ChangePassword,
  ChangeRole,
  ChangeSharing,
  CloseAccount,
  Invite,
  KeepOriginals,
  RenameAccount,
  RenameMember,
  Settings,
} from "./settings-schema";

const settingsSchema = async () => (await import("./settings-schema")).Settings;

export const settingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: ({ signal }) => fetchJson("/api/settings", { schema: settingsSchema, signal }),
});

export function useRenameMember() {
  return useSettingsChange((input: RenameMember) => ["settings/profile", input]);
}

export function useRenameAccount() {
  return useSettingsChange((input: RenameAccount) => ["settings/account", input]);
}

export function useChangeSharing() {
  return useSettingsChange((input: ChangeSharing) => ["settings/sharing", input]);
}

export function useKeepOriginals() {
  return useSettingsChange((input: KeepOriginals) => ["settings/originals", input]);
}

export function useChangePassword() {
  return useSettingsChange((input: ChangePassword) => ["settings/password", input]);
}

export function useEndSession() {
  return useSettingsChange((id: string) => [`settings/sessions/${encodeURIComponent(id)}/end`]);
}

export function useEndOtherSessions() {
  return useSettingsChange(() => ["settings/sessions/end-others"]);
}

export function useChangeRole() {
  return useSettingsChange(({ id, role }: ChangeRole & { id: string }) => [
    `members/${encodeURIComponent(id)}/role`,
    { role },
  ]);
}

export function useRevokeInvitation() {
  return useSettingsChange((id: string) => [
    `members/invitations/${encodeURIComponent(id)}/revoke`,
  ]);
}

/** Without mail, the response contains the link. */
export function useInvite() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Invite) =>
      fetchJson("/api/members/invitations", {
        schema: async () => (await import("./settings-schema")).Invited,
        body: input,
      }),
    // The link is a secret: drop it when the dialog that shows it closes.
    gcTime: 0,
    onSuccess: ({ settings }) => cacheSettings(client, settings),
  });
}

/** Removing yourself signs you out. */
export function useRemoveMember() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      fetchJson(`/api/members/${encodeURIComponent(id)}/remove`, {
        schema: async () => (await import("./settings-schema")).RemovedMember,
        body: {},
      }),
    onSuccess: (_, removed) => {
      const settings = client.getQueryData(settingsQuery.queryKey);
      if (settings) {
        cacheSettings(client, {
          ...settings,
          members: settings.members.filter(({ id }) => id !== removed),
        });
      }
    },
  });
}

export function useCloseAccount() {
  return useMutation({
    mutationFn: (input: CloseAccount) =>
      fetchJson("/api/settings/close", {
        schema: async () => {
          const z = await import("zod");
          return z.object({ id: z.string(), deleted: z.literal(true) });
        },
        body: input,
      }),
  });
}

/** Posts to a path below /api and caches the settings in the response. */
function useSettingsChange<Input = void>(toRequest: (input: Input) => [string, object?]) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => {
      const [path, body = {}] = toRequest(input);
      return fetchJson(`/api/${path}`, { schema: settingsSchema, body });
    },
    onSuccess: (settings) => cacheSettings(client, settings),
  });
}

/** Stores the new settings and refetches the activity in the background. */
function cacheSettings(client: QueryClient, settings: Settings): void {
  client.setQueryData(settingsQuery.queryKey, settings);
  void client.invalidateQueries({ queryKey: activityQuery.queryKey });
}
