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
      description="The answer goes at once, with its messages and evidence, and no key reads it from now on. What the request cost and counted stays. This cannot be undone."
      error={deletion.error && `The answer was not deleted. ${deletion.error.message}`}
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
