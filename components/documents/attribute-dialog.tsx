import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { Checkbox } from "@/components/ui/choice";
import { FormDialog } from "@/components/ui/dialog";
import { registerField, TextField } from "@/components/ui/field";
import type { DialogHandlers } from "@/components/ui/use-dialog";
import { formatCount } from "@/lib/format-count";
import { useUpdateDocuments } from "@/lib/library/documents/client";
import type { Document } from "@/lib/library/documents/schema";
import { plainIssue } from "@/lib/platform/http/plain-issues";
import { AttributeForm, toAttributeChange } from "./attribute-form";
import { type Attribute, attributesIn, formatAttribute } from "./attribute-value";
import { reportChanges } from "./report-changes";

interface AttributeDialogProps extends DialogHandlers {
  documents: readonly Document[];
  /** The one to change; without it, any can be set. */
  attribute?: Attribute | undefined;
  onDone: () => void;
}

/** Sets an attribute of documents, or removes it. */
export function AttributeDialog({ documents, attribute, onDone, ...dialog }: AttributeDialogProps) {
  const update = useUpdateDocuments();
  const form = useForm({
    resolver: zodResolver(AttributeForm, { error: plainIssue }),
    defaultValues: {
      name: attribute?.name ?? "",
      value: attribute ? formatAttribute(attribute.value) : "",
      isRemoved: false,
    },
  });
  const save = form.handleSubmit((values) =>
    update.mutate(
      { ids: documents.map(({ id }) => id), attributes: toAttributeChange(values) },
      { onSuccess: reportChanges(onDone) },
    ),
  );
  const names = documents.flatMap(({ metadata }) => attributesIn(metadata).map(({ name }) => name));
  return (
    <FormDialog
      title={attribute?.name ?? `Attributes of ${formatCount(documents.length, "document")}`}
      description="Searches can filter by attributes. Those you don’t name stay as they are."
      submitLabel="Save"
      isDismissable={!form.formState.isDirty}
      isPending={update.isPending}
      error={update.error?.message}
      onSubmit={save}
      {...dialog}
    >
      {!attribute && (
        <TextField
          label="Name"
          hint={names.length > 0 && `In use: ${[...new Set(names)].join(", ")}`}
          {...registerField(form, "name")}
          autoFocus
        />
      )}
      {!form.watch("isRemoved") && (
        <TextField
          label="Value"
          hint="Text, a number, true or false. Put text that looks like a number in quotes."
          {...registerField(form, "value")}
          autoFocus={attribute !== undefined}
        />
      )}
      {(attribute || documents.length > 1) && (
        <Checkbox label="Remove this attribute" {...form.register("isRemoved")} />
      )}
    </FormDialog>
  );
}
