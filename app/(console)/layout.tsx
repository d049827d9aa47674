import type { ReactNode } from "react";
import { ConsoleFrame } from "@/components/shell/console-frame";
import { ConsoleProviders } from "@/components/shell/console-providers";
import { currentMember } from "@/lib/auth/page-gate";
import { defaultModel } from "@/lib/models/catalogue";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const ctx = await currentMember();
  // Without a session there is no frame: the page redirects to sign-in, because it knows its path.
  return ctx ? (
    <ConsoleProviders>
      <ConsoleFrame
        member={{ id: ctx.actor.id, email: ctx.actor.email, name: ctx.actor.name }}
        model={defaultModel().id}
      >
        {children}
      </ConsoleFrame>
    </ConsoleProviders>
  ) : (
    children
  );
}
