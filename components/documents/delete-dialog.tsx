"use client";

import { Button } from "@/components/ui/button";
import { AlertDialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { useDeleteDocument } from "@/lib/documents/client";
import type { Document } from "@/lib/documents/schema";

interface DeleteDialogProps {
  document: Pick<Document, "id" | "title">;
  onDeleted: () => void;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Asks once more, naming the document and what becomes of it. */
export function DeleteDialog({
  document,
  onDeleted,
  onClose,
  onCloseAutoFocus,
}: DeleteDialogProps) {
  const deletion = useDeleteDocument();
  const remove = () =>
    deletion.mutate(document.id, {
      onSuccess: () => {
        onDeleted();
        toast.success(`“${document.title}” is deleted`);
      },
    });
  return (
    <AlertDialog
      title={`Delete “${document.title}”?`}
      description="Its text and passages go at once, and no search finds them from now on. Links to its words will say that it was deleted. This cannot be undone."
      error={deletion.error && `The document was not deleted. ${deletion.error.message}`}
      onClose={() => !deletion.isPending && onClose()}
      onCloseAutoFocus={onCloseAutoFocus}
    >
      <Button variant="danger" isPending={deletion.isPending} onClick={remove}>
        Delete document
      </Button>
    </AlertDialog>
  );
}
