"use client";

import { Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { lazy, type ReactNode, Suspense, startTransition, useRef, useState } from "react";
import { Button } from "@/components/ui/button";

const DeleteAnswerDialog = lazy(async () => ({
  default: (await import("./delete-answer-dialog")).DeleteAnswerDialog,
}));

interface KeptAnswerProps {
  /** What can be deleted; null when nothing is stored, or not for this member to see. */
  completionId: string | null;
  /** What is said once it is. */
  deleted: ReactNode;
  /** The answer, or why none is shown. */
  children: ReactNode;
}

/** The place of a request's answer, where a stored one can be deleted. */
export function KeptAnswer({ completionId, deleted, children }: KeptAnswerProps) {
  const router = useRouter();
  const [isOpen, setIsOpen] = useState(false);
  const [isDeleted, setIsDeleted] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const finish = () => {
    setIsOpen(false);
    setIsDeleted(true);
    // What the answer told of checks and sources is then told by the request itself.
    router.refresh();
  };
  const restoreFocus = (event: Event) => {
    event.preventDefault();
    (opener.current ?? place.current)?.focus({ preventScroll: true });
  };
  return (
    <div
      ref={place}
      tabIndex={-1}
      className="grid not-has-[section]:hidden min-w-0 gap-6 outline-none"
    >
      <div role="status" className="empty:absolute">
        {isDeleted && deleted}
      </div>
      {!isDeleted && children}
      {completionId && !isDeleted && (
        <div>
          <Button ref={opener} onClick={() => startTransition(() => setIsOpen(true))}>
            <Trash2 aria-hidden />
            Delete stored answer…
          </Button>
        </div>
      )}
      <Suspense>
        {isOpen && completionId && (
          <DeleteAnswerDialog
            completionId={completionId}
            onDeleted={finish}
            onClose={() => setIsOpen(false)}
            onCloseAutoFocus={restoreFocus}
          />
        )}
      </Suspense>
    </div>
  );
}
