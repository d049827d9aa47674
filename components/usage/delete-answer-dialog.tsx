"use client";

import { AlertDialog } from "@/components/ui/dialog";
import type { DialogHandlers } from "@/components/ui/use-dialog";
import { useDeleteAnswer } from "@/lib/usage/client";

interface DeleteAnswerDialogProps extends DialogHandlers {
  completionId: string;
  onDeleted: () => void;
}

/** Confirms deleting a stored answer. */
export function DeleteAnswerDialog({
  completionId,
  onDeleted,
  ...dialog
}: DeleteAnswerDialogProps) {
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
