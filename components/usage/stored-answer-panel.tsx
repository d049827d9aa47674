"use client";

import { Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { lazy, type ReactNode, Suspense } from "react";
import { ShareButton } from "@/components/sharing/share-button";
import { Button } from "@/components/ui/button";
import { useDialog } from "@/components/ui/use-dialog";
import { useDeleteAnswer } from "@/lib/money/usage/client";

const AlertDialog = lazy(async () => ({
  default: (await import("@/components/ui/dialog")).AlertDialog,
}));

interface StoredAnswerPanelProps {
  /** The stored answer's id; null when none is stored or this member can't see it. */
  completionId: string | null;
  requestId: string;
  deleted: ReactNode;
  /** The answer, or an explanation of why there is none. */
  children: ReactNode;
}

/** A request's answer. A stored answer can be deleted here. */
export function StoredAnswerPanel({
  completionId,
  requestId,
  deleted,
  children,
}: StoredAnswerPanelProps) {
  const router = useRouter();
  const { open, show, finish, fallback, handlers } = useDialog<"delete", HTMLDivElement>();
  const deletion = useDeleteAnswer();
  const isDeleted = deletion.isSuccess;
  const ask = () => {
    deletion.reset();
    show("delete");
  };
  const onDeleted = () => {
    finish();
    // The request then shows the checks and sources itself.
    router.refresh();
  };
  return (
    <div
      ref={fallback}
      tabIndex={-1}
      className="grid not-has-[section]:hidden min-w-0 gap-6 outline-none"
    >
      <div role="status" className="empty:absolute">
        {isDeleted && deleted}
      </div>
      {!isDeleted && children}
      {completionId && !isDeleted && (
        <div className="flex flex-wrap gap-2">
          <ShareButton target={{ request_id: requestId }} />
          <Button onClick={ask}>
            <Trash2 aria-hidden />
            Delete stored answer…
          </Button>
        </div>
      )}
      <Suspense>
        {open && completionId && (
          <AlertDialog
            title="Delete the stored answer?"
            description="This deletes the answer with its messages and evidence. Later answers of the same conversation keep a copy of its words. The request’s cost and usage stay. You can’t undo this."
            error={deletion.error && `We couldn’t delete the answer. ${deletion.error.message}`}
            action="Delete answer"
            onAction={() => deletion.mutate(completionId, { onSuccess: onDeleted })}
            isPending={deletion.isPending}
            {...handlers}
          />
        )}
      </Suspense>
    </div>
  );
}
