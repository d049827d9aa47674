"use client";

import { Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { Button } from "@/components/ui/button";
import { type DialogHandlers, useDialog } from "@/components/ui/use-dialog";
import { useDeleteAnswer } from "@/lib/usage/client";

const AlertDialog = lazy(async () => ({
  default: (await import("@/components/ui/dialog")).AlertDialog,
}));

interface StoredAnswerPanelProps {
  /** The stored answer's id; null when none is stored or this member can't see it. */
  completionId: string | null;
  deleted: ReactNode;
  /** The answer, or an explanation of why there is none. */
  children: ReactNode;
}

/** A request's answer. A stored answer can be deleted here. */
export function StoredAnswerPanel({ completionId, deleted, children }: StoredAnswerPanelProps) {
  const router = useRouter();
  const [isDeleted, setIsDeleted] = useState(false);
  const { open, show, finish, fallback, handlers } = useDialog<"delete", HTMLDivElement>();
  const onDeleted = () => {
    finish();
    setIsDeleted(true);
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
        <div>
          <Button onClick={() => show("delete")}>
            <Trash2 aria-hidden />
            Delete stored answer…
          </Button>
        </div>
      )}
      <Suspense>
        {open && completionId && (
          <DeleteDialog completionId={completionId} onDeleted={onDeleted} {...handlers} />
        )}
      </Suspense>
    </div>
  );
}

interface DeleteDialogProps extends DialogHandlers {
  completionId: string;
  onDeleted: () => void;
}

function DeleteDialog({ completionId, onDeleted, ...dialog }: DeleteDialogProps) {
  const deletion = useDeleteAnswer();
  return (
    <AlertDialog
      title="Delete the stored answer?"
      description="This deletes the answer with its messages and evidence. The request’s cost and usage stay. You can’t undo this."
      error={deletion.error && `We couldn’t delete the answer. ${deletion.error.message}`}
      action="Delete answer"
      onAction={() => deletion.mutate(completionId, { onSuccess: onDeleted })}
      isPending={deletion.isPending}
      {...dialog}
    />
  );
}
