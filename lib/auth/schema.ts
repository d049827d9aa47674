import * as z from "zod";
import { isStorable } from "@/lib/http/storable";

/** What a key may do; chosen when it is made. */
export const SCOPES = [
  "chat:completions",
  "kb:search",
  "kb:documents:write",
  "kb:documents:read",
  "billing:read",
  "billing:write",
] as const;
export const Scope = z.enum(SCOPES);
export type Scope = z.infer<typeof Scope>;

export const KNOWLEDGE_SCOPES = ["public_kb", "customer_kb", "personal_kb"] as const;
export const KnowledgeScope = z.enum(KNOWLEDGE_SCOPES);
export type KnowledgeScope = z.infer<typeof KnowledgeScope>;

export const SignUp = z.object({
  email: z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.email("Enter an e-mail address, such as ana@example.org.")),
  password: z
    .string()
    .min(10, "Use at least 10 characters.")
    .max(200, "Use at most 200 characters."),
  name: z
    .string()
    .trim()
    .max(100, "Use at most 100 characters.")
    .refine(isStorable, "Use text without control characters.")
    .optional(),
});
export type SignUp = z.infer<typeof SignUp>;
