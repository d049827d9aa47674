import * as z from "zod";
import { isPostgresText } from "@/lib/platform/db/postgres-text";

export const SCOPES = [
  "chat:completions",
  "kb:search",
  "kb:documents:write",
  "kb:documents:read",
  "billing:read",
  "billing:write",
  "keys:write",
] as const;
export const Scope = z.enum(SCOPES);
export type Scope = z.infer<typeof Scope>;

export const KNOWLEDGE_SCOPES = ["public_kb", "customer_kb", "personal_kb"] as const;
export const KnowledgeScope = z.enum(KNOWLEDGE_SCOPES);
export type KnowledgeScope = z.infer<typeof KnowledgeScope>;

/** In a key's list: every model of the account, also those added later. */
export const ALL_MODELS = "*";

/** What a search for an answer is made from: the last user message as it is, or the conversation. */
export const QueryMode = z.enum(["last", "conversation"]);
export type QueryMode = z.infer<typeof QueryMode>;

export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(320, "Use at most 320 characters.")
  .pipe(z.email("Enter an email address, such as ana@example.org."));

export const Password = z
  .string()
  .min(10, "Use at least 10 characters.")
  .max(200, "Use at most 200 characters.");

export const PersonName = z
  .string()
  .trim()
  .max(100, "Use at most 100 characters.")
  .refine(isPostgresText, "Use text without control characters.");

export const SignUp = z.object({
  email: Email,
  password: Password,
  name: PersonName.optional(),
});
export type SignUp = z.infer<typeof SignUp>;

/** 32 random bytes in base64url. */
export const LinkToken = z.string().regex(/^[\w-]{43}$/, "This link is incomplete. Open it again.");

export const ForgotPassword = z.strictObject({ email: Email });
export type ForgotPassword = z.infer<typeof ForgotPassword>;

export const ResetPassword = z.strictObject({
  token: LinkToken,
  password: Password,
  /** Also revokes the member's API keys. */
  revoke_keys: z.boolean().default(false),
});
export type ResetPassword = z.output<typeof ResetPassword>;

export const PasswordWasReset = z.object({ revoked_keys: z.number() });

export const ConfirmEmail = z.strictObject({ token: LinkToken });
export type ConfirmEmail = z.infer<typeof ConfirmEmail>;

export const OpenInvitation = z.strictObject({ token: LinkToken });
export type OpenInvitation = z.infer<typeof OpenInvitation>;

export const Role = z.enum(["owner", "member"]);
export type Role = z.infer<typeof Role>;

export const InvitationOffer = z.object({
  object: z.literal("invitation_offer"),
  account_name: z.string(),
  email: z.string(),
  role: Role,
});
export type InvitationOffer = z.infer<typeof InvitationOffer>;

export const Join = z.strictObject({
  token: LinkToken,
  password: Password,
  name: PersonName.optional(),
});
export type Join = z.infer<typeof Join>;
