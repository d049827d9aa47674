import { zodResolver } from "@hookform/resolvers/zod";
import { type UseFormReturn, useForm } from "react-hook-form";
import { FormDialog } from "@/components/ui/dialog";
import { Field, registerField, TextField } from "@/components/ui/field";
import { ListboxField, toOptions } from "@/components/ui/listbox";
import { toast } from "@/components/ui/toast";
import type { DialogHandlers } from "@/components/ui/use-dialog";
import { useEditDocument } from "@/lib/library/documents/client";
import { type Document, Standing } from "@/lib/library/documents/schema";
import { plainIssue } from "@/lib/platform/http/plain-issues";
import { EditForm, toChanges, toEditForm } from "./edit-form";
import { STANDING_NAMES } from "./labels";

interface EditDialogProps extends DialogHandlers {
  document: Document;
  onSaved: () => void;
}

/** Changes what the account says about a document; its text stays. */
export function EditDialog({ document, onSaved, ...handlers }: EditDialogProps) {
  const edit = useEditDocument(document.id);
  const form = useForm({
    resolver: zodResolver(EditForm, { error: plainIssue }),
    defaultValues: toEditForm(document),
  });
  const save = form.handleSubmit((values) => {
    const changes = toChanges(values, document);
    if (!changes) {
      handlers.onClose();
      return;
    }
    edit.mutate(changes, {
      onSuccess: ({ title }) => {
        onSaved();
        toast.success(`“${title}” saved`);
      },
    });
  });
  return (
    <FormDialog
      title="Edit document"
      description="Searches and new citations use the changes immediately. Stored answers keep what they cited."
      size="sheet"
      isDismissable={!form.formState.isDirty}
      submitLabel="Save"
      isPending={edit.isPending}
      error={edit.error?.message}
      onSubmit={save}
      {...handlers}
    >
      <TextField label="Title" {...registerField(form, "title")} autoFocus />
      <TextField
        label="Source type"
        hint="A label of your choice, such as guideline. Searches can filter by it."
        {...registerField(form, "source_type")}
      />
      <StandingField form={form} />
      <TextField label="Web address (optional)" {...registerField(form, "url")} />
      <TextField
        label="Published (optional)"
        type="date"
        className="sm:w-48"
        {...registerField(form, "published_at")}
      />
      <Field
        label="Metadata"
        hint="JSON. Returned with each citation."
        error={form.formState.errors.metadata?.message}
      >
        {(control) => (
          <textarea
            {...control}
            {...form.register("metadata")}
            rows={6}
            spellCheck={false}
            className="w-full rounded-md border border-control bg-surface p-2.5 font-mono text-base aria-invalid:border-danger sm:text-xs"
          />
        )}
      </Field>
    </FormDialog>
  );
}

function StandingField({ form }: { form: UseFormReturn<EditForm> }) {
  return (
    <ListboxField
      label="Standing"
      hint="Superseded documents are marked in citations. Retracted ones aren’t searched."
      value={form.watch("standing")}
      onChange={(value) => form.setValue("standing", Standing.parse(value), { shouldDirty: true })}
      options={toOptions(STANDING_NAMES)}
    />
  );
}
