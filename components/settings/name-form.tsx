import { useForm, useWatch } from "react-hook-form";
import { fieldReason } from "@/components/auth/form-errors";
import { Button } from "@/components/ui/button";
import { registerField, TextField } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { useOnChange } from "@/components/ui/use-on-change";

interface NameFormProps {
  label: string;
  hint?: string;
  name: string;
  autoComplete: "name" | "organization";
  /** Throws an error whose message is shown. */
  save: (input: { name: string }) => Promise<unknown>;
}

export function NameForm({ label, hint, name, autoComplete, save }: NameFormProps) {
  // No default values: they would overwrite what was typed before hydration.
  const form = useForm<{ name: string }>();
  useOnChange(name, (saved) => form.reset({ name: saved }, { keepFieldsRef: true }));
  const { isSubmitting } = form.formState;
  const typed = useWatch({ control: form.control, name: "name", defaultValue: name });
  const submit = form.handleSubmit(async (values) => {
    try {
      await save(values);
      toast.success("Changes saved");
    } catch (error) {
      form.setError("name", { message: fieldReason(error as Error) }, { shouldFocus: true });
    }
  });
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <TextField
        label={label}
        hint={hint}
        {...registerField(form, "name")}
        defaultValue={name}
        autoComplete={autoComplete}
        className="max-w-md"
      />
      <div>
        <Button
          type="submit"
          variant={typed === name ? "secondary" : "primary"}
          isPending={isSubmitting}
        >
          Save<span className="sr-only"> {label.toLowerCase()}</span>
        </Button>
      </div>
    </form>
  );
}
