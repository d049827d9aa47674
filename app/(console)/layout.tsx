import type { ReactNode } from "react";
import { ConfirmEmailNotice } from "@/components/auth/confirm-email-notice";
import { ConsoleFrame } from "@/components/shell/console-frame";
import { ConsoleProviders } from "@/components/shell/console-providers";
import { defaultModel } from "@/lib/models/catalogue";
import { currentMember } from "@/lib/platform/auth/page-gate";
import { getAccountName, needsConfirmation } from "@/lib/platform/auth/read";
import { VERSION } from "@/lib/platform/env";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const ctx = await currentMember();
  const [isUnconfirmed, account] = ctx
    ? await Promise.all([needsConfirmation(ctx), getAccountName(ctx.account.id)])
    : [false, ""];
  // Without a session there is no frame: the page redirects to sign-in, because it knows its path.
  return ctx ? (
    <ConsoleProviders>
      <ConsoleFrame
        member={{ id: ctx.actor.id, email: ctx.actor.email, name: ctx.actor.name }}
        account={account}
        model={defaultModel().id}
        version={VERSION}
      >
        {isUnconfirmed && <ConfirmEmailNotice email={ctx.actor.email} />}
        {children}
      </ConsoleFrame>
    </ConsoleProviders>
  ) : (
    children
  );
}
