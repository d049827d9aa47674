"use client";

import { AlertDialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import type { DialogHandlers } from "@/components/ui/use-dialog";
import { useDeleteDocument } from "@/lib/library/documents/client";
import type { Document } from "@/lib/library/documents/schema";

interface DeleteDialogProps extends DialogHandlers {
  document: Pick<Document, "id" | "title">;
  onDeleted: () => void;
}

export function DeleteDialog({ document, onDeleted, ...dialog }: DeleteDialogProps) {
  const deletion = useDeleteDocument();
  const remove = () =>
    deletion.mutate(document.id, {
      onSuccess: () => {
        onDeleted();
        toast.success(`“${document.title}” deleted`);
      },
    });
  return (
    <AlertDialog
      title={`Delete “${document.title}”?`}
      description="Its text and passages are deleted, and search no longer finds it. Links to quotes from it will say that it was deleted. This can’t be undone."
      error={deletion.error && `The document wasn’t deleted. ${deletion.error.message}`}
      action="Delete document"
      onAction={remove}
      isPending={deletion.isPending}
      {...dialog}
    />
  );
}
