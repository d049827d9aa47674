"use client";

import { Button } from "@/components/ui/button";
import { AlertDialog } from "@/components/ui/dialog";
import { useDeleteAnswer } from "@/lib/usage/client";

interface DeleteAnswerDialogProps {
  completionId: string;
  onDeleted: () => void;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Asks once more, saying what goes and what stays. */
export function DeleteAnswerDialog({
  completionId,
  onDeleted,
  onClose,
  onCloseAutoFocus,
}: DeleteAnswerDialogProps) {
  const deletion = useDeleteAnswer();
  return (
    <AlertDialog
      title="Delete the stored answer?"
      description="This deletes the answer with its messages and evidence. The request’s cost and usage stay. You can’t undo this."
      error={deletion.error && `We couldn’t delete the answer. ${deletion.error.message}`}
      onClose={() => !deletion.isPending && onClose()}
      onCloseAutoFocus={onCloseAutoFocus}
    >
      <Button
        variant="danger"
        isPending={deletion.isPending}
        onClick={() => deletion.mutate(completionId, { onSuccess: onDeleted })}
      >
        Delete answer
      </Button>
    </AlertDialog>
  );
}
