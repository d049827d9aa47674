import * as z from "zod";
import { Email, Password, PersonName, Role } from "./schema";

export const RenameMember = z.strictObject({ name: PersonName });
export type RenameMember = z.infer<typeof RenameMember>;

export const RenameAccount = z.strictObject({
  name: PersonName.min(1, "Give the account a name."),
});
export type RenameAccount = z.infer<typeof RenameAccount>;

export const ChangeSharing = z.strictObject({ is_enabled: z.boolean() });
export type ChangeSharing = z.infer<typeof ChangeSharing>;

export const KeepOriginals = z.strictObject({ keep_originals: z.boolean() });
export type KeepOriginals = z.infer<typeof KeepOriginals>;

export const ChangePassword = z.strictObject({
  current_password: z.string().min(1, "Enter your current password.").max(200),
  password: Password,
});
export type ChangePassword = z.infer<typeof ChangePassword>;

export const Invite = z.strictObject({ email: Email, role: Role });
export type Invite = z.infer<typeof Invite>;

export const ChangeRole = z.strictObject({ role: Role });
export type ChangeRole = z.infer<typeof ChangeRole>;

/** The account's name, typed as confirmation. */
export const CloseAccount = z.strictObject({ confirmation: z.string().trim().max(200) });
export type CloseAccount = z.infer<typeof CloseAccount>;

const KeyName = z.object({ id: z.string(), name: z.string(), display: z.string() });
export type KeyName = z.infer<typeof KeyName>;

export const RemovedMember = z.object({
  object: z.literal("member"),
  id: z.string(),
  deleted: z.literal(true),
  /** The keys that read the member's documents. */
  revoked_keys: z.array(KeyName),
  /** The other keys the member created: they still work, and the member may know their secrets. */
  remaining_keys: z.array(KeyName),
});
export type RemovedMember = z.infer<typeof RemovedMember>;

export const RowParams = z.object({ id: z.string().max(100) });

const Member = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  role: Role,
});

/** The settings page. Times are ISO 8601 in UTC. */
export const Settings = z.object({
  object: z.literal("settings"),
  /** `has_password` is false for members who only sign in with a provider. */
  profile: Member.extend({ has_password: z.boolean() }),
  account: z.object({
    id: z.string(),
    name: z.string(),
    /** Whether members may share answers and quotes by link. */
    is_sharing_enabled: z.boolean(),
    /** Whether the files of documents are stored once they are processed. */
    keep_originals: z.boolean(),
    /** Whether the operator stores any. */
    can_keep_originals: z.boolean(),
  }),
  /** The member's own, most recent first. */
  sessions: z.array(
    z.object({
      id: z.string(),
      user_agent: z.string().nullable(),
      created_at: z.string(),
      last_seen_at: z.string(),
      is_current: z.boolean(),
    }),
  ),
  /** Oldest first. */
  members: z.array(Member.extend({ created_at: z.string() })),
  /** Pending invitations; only for owners. */
  invitations: z.array(
    z.object({ id: z.string(), email: z.string(), role: Role, expires_at: z.string() }),
  ),
});
export type Settings = z.infer<typeof Settings>;

/** `link` is set only when no mail was sent. */
export const Invited = z.object({
  settings: Settings,
  email: z.string(),
  link: z.string().nullable(),
});
export type Invited = z.infer<typeof Invited>;
