import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import * as z from "zod";
import { AlertDialog, FormDialog } from "@/components/ui/dialog";
import { registerField, TextField } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import type { DialogHandlers } from "@/components/ui/use-dialog";
import { formatCount } from "@/lib/format-count";
import { useDeleteDocuments, useUpdateDocuments } from "@/lib/library/documents/client";
import type { ListedDocument } from "@/lib/library/documents/library-schema";
import { SourceType } from "@/lib/library/documents/schema";
import { plainIssue } from "@/lib/platform/http/plain-issues";
import { AttributeDialog } from "./attribute-dialog";
import { MembershipDialog } from "./membership-dialog";
import { reportChanges } from "./report-changes";

interface BulkDialogsProps extends DialogHandlers {
  kind: "attributes" | "delete" | "source" | "stores";
  documents: ListedDocument[];
  onDone: () => void;
}

export function BulkDialogs({ kind, documents, ...props }: BulkDialogsProps) {
  const ids = documents.map(({ id }) => id);
  switch (kind) {
    case "attributes":
      return <AttributeDialog documents={documents} {...props} />;
    case "delete":
      return <DeleteSelected ids={ids} {...props} />;
    case "source":
      return <ChangeSourceType ids={ids} {...props} />;
    case "stores":
      return <MembershipDialog documents={documents} {...props} />;
  }
}

type PartProps = Omit<BulkDialogsProps, "kind" | "documents"> & { ids: string[] };

function DeleteSelected({ ids, onDone, ...dialog }: PartProps) {
  const deletion = useDeleteDocuments();
  const count = formatCount(ids.length, "document");
  const remove = () =>
    deletion.mutate(ids, {
      onSuccess: ({ data }) => {
        const left = data.filter(({ deleted }) => !deleted);
        toast.success(`${formatCount(data.length - left.length, "document")} deleted`);
        if (left.length > 0) {
          toast.error(`${formatCount(left.length, "document")} left. ${left[0]?.error?.message}`);
        }
        onDone();
      },
    });
  return (
    <AlertDialog
      title={`Delete ${count}?`}
      description="Their text and passages are deleted, and search no longer finds them. Links to quotes from them will say that they were deleted. This can’t be undone."
      error={deletion.error && `The documents weren’t deleted. ${deletion.error.message}`}
      action={`Delete ${count}`}
      onAction={remove}
      isPending={deletion.isPending}
      {...dialog}
    />
  );
}

const SourceTypeForm = z.object({ source_type: SourceType });

function ChangeSourceType({ ids, onDone, ...handlers }: PartProps) {
  const update = useUpdateDocuments();
  const form = useForm({
    resolver: zodResolver(SourceTypeForm, { error: plainIssue }),
    defaultValues: { source_type: "" },
  });
  const save = form.handleSubmit(({ source_type }) =>
    update.mutate({ ids, source_type }, { onSuccess: reportChanges(onDone) }),
  );
  return (
    <FormDialog
      title={`Source type of ${formatCount(ids.length, "document")}`}
      description="A label of your choice, such as guideline or leaflet. Searches can filter by it."
      submitLabel="Save"
      isPending={update.isPending}
      error={update.error?.message}
      onSubmit={save}
      {...handlers}
    >
      <TextField label="Source type" {...registerField(form, "source_type")} autoFocus />
    </FormDialog>
  );
}
