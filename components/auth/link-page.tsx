import type { ReactNode } from "react";
import { Outcome } from "./account-form";

interface LinkPageProps {
  /** What to show for a link that doesn't work. */
  expired: { title: string; notice: ReactNode };
  /** Whether the server said so. Without a token, or for an invitation, a script says it before React loads. */
  isExpired: boolean;
  children: ReactNode;
}

/** What a link with a token opens. */
export function LinkPage({ expired, isExpired, children }: LinkPageProps) {
  if (isExpired) {
    return <Outcome title={expired.title}>{expired.notice}</Outcome>;
  }
  return (
    <>
      <div className="[[data-link=expired]_&]:hidden">{children}</div>
      <section aria-label={expired.title} className="hidden gap-3 [[data-link=expired]_&]:grid">
        <h2 className="font-medium text-base">{expired.title}</h2>
        {expired.notice}
      </section>
    </>
  );
}
