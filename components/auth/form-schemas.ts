import { zodResolver } from "@hookform/resolvers/zod";
import * as z from "zod";
import { ForgotPassword, Join, ResetPassword, SignUp } from "@/lib/platform/auth/schema";
import { plainIssue } from "@/lib/platform/http/plain-issues";

/** What the account pages' forms send, checked in the browser first. */
export const FORM_SCHEMAS = {
  signIn: SignUp.pick({ email: true }).extend({
    password: z.string().min(1, "Enter your password."),
  }),
  signUp: SignUp,
  forgotPassword: ForgotPassword,
  newPassword: ResetPassword.pick({ password: true, revoke_keys: true }),
  newMember: Join.pick({ password: true, name: true }),
};

export { plainIssue, zodResolver };
