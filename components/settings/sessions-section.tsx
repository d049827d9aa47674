import { useRef } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { FormError } from "@/components/ui/form-error";
import { Moment, RelativeTime } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { useEndOtherSessions, useEndSession } from "@/lib/platform/auth/settings-client";
import type { Settings } from "@/lib/platform/auth/settings-schema";
import { formatDevice } from "./device";
import { Section } from "./section";

export function SessionsSection({ sessions }: Pick<Settings, "sessions">) {
  const list = useRef<HTMLUListElement>(null);
  const ending = useEndSession();
  const endingOthers = useEndOtherSessions();
  const onSuccess = (message: string) => () => {
    toast.success(message);
    // The pressed button is gone.
    list.current?.focus({ preventScroll: true });
  };
  const ordered = sessions.toSorted((a, b) => Number(b.is_current) - Number(a.is_current));
  const hasOthers = sessions.some((session) => !session.is_current);
  return (
    <Section
      title="Sessions"
      description="Browsers you’re signed in with. Ending a session signs that browser out immediately."
    >
      <ul ref={list} tabIndex={-1} aria-label="Sessions" className="divide-y outline-none">
        {ordered.map((session) => (
          <li key={session.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 p-4 sm:px-5">
            <div className="grid min-w-0 flex-1 gap-0.5">
              <span className="flex flex-wrap items-center gap-2" title={session.user_agent ?? ""}>
                {formatDevice(session.user_agent)}
                {session.is_current && <Badge tone="success">This browser</Badge>}
              </span>
              <span className="text-muted text-xs">
                Signed in <Moment value={session.created_at} /> · Last seen:{" "}
                <RelativeTime value={session.last_seen_at} />
              </span>
            </div>
            {!session.is_current && (
              <Button
                size="sm"
                isPending={ending.isPending && ending.variables === session.id}
                onClick={() => ending.mutate(session.id, { onSuccess: onSuccess("Session ended") })}
              >
                End<span className="sr-only"> {formatDevice(session.user_agent)}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {(ending.error || endingOthers.error || hasOthers) && (
        <div className="grid justify-items-start gap-3 border-t p-4 sm:px-5">
          <FormError message={ending.error?.message ?? endingOthers.error?.message} />
          {hasOthers && (
            <Button
              isPending={endingOthers.isPending}
              onClick={() =>
                endingOthers.mutate(undefined, {
                  onSuccess: onSuccess("All other sessions ended"),
                })
              }
            >
              End all other sessions
            </Button>
          )}
        </div>
      )}
    </Section>
  );
}
