import type { ReactNode } from "react";
import type { RequestRecord } from "@/lib/usage/schema";
import { Section } from "./section";

interface NoAnswerProps {
  request: RequestRecord;
  /** Whether there is one that this member may not see. */
  isHidden: boolean;
}

/** Why no text is shown: it never was kept, it is gone, or it is somebody's own. */
export function NoAnswer({ request, isHidden }: NoAnswerProps) {
  const isCompletion = request.kind === "core" || request.kind === "grounded";
  return (
    isCompletion && (
      <Section title="Answer">
        <Explanation>{whyNot(request, isHidden)}</Explanation>
      </Section>
    )
  );
}

/** What is said of an answer that was stored once. */
export function DeletedAnswer() {
  return (
    <Section title="Answer">
      <Explanation>{DELETED}</Explanation>
    </Section>
  );
}

const DELETED = "The stored answer and its evidence were deleted.";

function Explanation({ children }: { children: ReactNode }) {
  return <p className="rounded-lg border bg-surface p-4 text-muted leading-6">{children}</p>;
}

function whyNot({ status, details }: RequestRecord, isHidden: boolean): ReactNode {
  if (isHidden) {
    return "This stored answer belongs to one person. Only they can see its text.";
  }
  if (details.is_stored) {
    return DELETED;
  }
  if (status >= 400) {
    return "No answer. The request failed.";
  }
  return (
    <>
      Messages and answers aren’t stored unless the request sets{" "}
      <code className="font-mono text-ink text-xs">store: true</code>. This one didn’t.
    </>
  );
}
