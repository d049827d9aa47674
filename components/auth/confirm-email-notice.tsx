"use client";

import { useMutation } from "@tanstack/react-query";
import { Button } from "@/components/ui/button";
import { FormError } from "@/components/ui/form-error";
import { postResendConfirmation } from "@/lib/platform/auth/client";

/** Above every page of the console until the member has confirmed their email. */
export function ConfirmEmailNotice({ email }: { email: string }) {
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: postResendConfirmation,
  });
  return (
    <section
      aria-label="Confirm your email"
      className="mb-6 grid gap-3 rounded-lg border bg-surface p-4 sm:px-5"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-64 break-words" role="status">
          {isSuccess
            ? `We’ve sent a new link to ${email}.`
            : `Confirm your email to create API keys. We sent a link to ${email}.`}
        </p>
        <Button size="sm" isPending={isPending} onClick={() => mutate({})}>
          Send a new link
        </Button>
      </div>
      <FormError message={error?.message} />
    </section>
  );
}
