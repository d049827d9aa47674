import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import * as z from "zod";
import { RadioCard } from "@/components/ui/choice";
import { AlertDialog, FormDialog } from "@/components/ui/dialog";
import { FieldSet, registerField, TextField } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import type { DialogHandlers } from "@/components/ui/use-dialog";
import { formatCount } from "@/lib/format-count";
import { useDeleteStore, useSaveStore } from "@/lib/library/documents/client";
import type { LibraryStore } from "@/lib/library/documents/store-schema";
import { plainIssue } from "@/lib/platform/http/plain-issues";
import { SCOPE_LABELS } from "./labels";
import { type StoreDialog, storeName } from "./store-names";

interface StoreDialogsProps extends DialogHandlers {
  dialog: StoreDialog;
  onSaved: (id: string) => void;
  onDeleted: () => void;
}

export function StoreDialogs({ dialog, onSaved, onDeleted, ...handlers }: StoreDialogsProps) {
  return dialog.kind === "save" ? (
    <SaveStore store={dialog.store} onSaved={onSaved} {...handlers} />
  ) : (
    <DeleteStore store={dialog.store} onDeleted={onDeleted} {...handlers} />
  );
}

const StoreForm = z.object({
  name: z.string().trim().min(1, "Give the store a name.").max(256),
  scope: z.enum(["customer_kb", "personal_kb"]),
});

interface SaveStoreProps extends DialogHandlers {
  /** Null for a new one. */
  store: LibraryStore | null;
  onSaved: (id: string) => void;
}

function SaveStore({ store, onSaved, ...handlers }: SaveStoreProps) {
  const save = useSaveStore();
  const form = useForm({
    resolver: zodResolver(StoreForm, { error: plainIssue }),
    defaultValues: { name: store?.name ?? "", scope: "customer_kb" as const },
  });
  const submit = form.handleSubmit((values) =>
    save.mutate(
      { ...values, id: store?.id },
      {
        onSuccess: ({ id, name }) => {
          onSaved(id);
          toast.success(store ? `Renamed to “${name}”` : `“${name}” created`);
        },
      },
    ),
  );
  return (
    <FormDialog
      title={store ? "Rename store" : "New vector store"}
      description="A named set of documents. Searches and API keys can be limited to it."
      submitLabel={store ? "Rename" : "Create store"}
      isDismissable={!form.formState.isDirty}
      isPending={save.isPending}
      error={save.error?.message}
      onSubmit={submit}
      {...handlers}
    >
      <TextField
        label="Name"
        {...registerField(form, "name")}
        autoComplete="off"
        placeholder="Handbooks"
        autoFocus
      />
      {!store && (
        <FieldSet legend="Documents of" hint="You can’t change this later.">
          {(["customer_kb", "personal_kb"] as const).map((scope) => (
            <RadioCard
              key={scope}
              {...form.register("scope")}
              value={scope}
              label={SCOPE_LABELS[scope].name}
              description={`Read by: ${SCOPE_LABELS[scope].about}`}
            />
          ))}
        </FieldSet>
      )}
    </FormDialog>
  );
}

interface DeleteStoreProps extends DialogHandlers {
  store: LibraryStore;
  onDeleted: () => void;
}

function DeleteStore({ store, onDeleted, ...handlers }: DeleteStoreProps) {
  const deletion = useDeleteStore();
  const name = storeName(store);
  const bound = formatCount(store.keys.length, "key");
  return (
    <AlertDialog
      title={`Delete “${name}”?`}
      description={`Its documents stay in your knowledge base. Requests that name the store will fail.${
        store.keys.length > 0 ? ` ${bound} bound to it will no longer see its documents.` : ""
      } This can’t be undone.`}
      error={deletion.error && `The store wasn’t deleted. ${deletion.error.message}`}
      action="Delete store"
      onAction={() =>
        deletion.mutate(store.id, {
          onSuccess: () => {
            onDeleted();
            toast.success(`“${name}” deleted`);
          },
        })
      }
      isPending={deletion.isPending}
      {...handlers}
    />
  );
}
