"use client";

import { useMutation } from "@tanstack/react-query";
import { Button, ButtonLink } from "@/components/ui/button";
import { FormError } from "@/components/ui/form-error";
import { AppError } from "@/lib/errors";
import { postConfirmEmail } from "@/lib/platform/auth/client";
import { Outcome } from "./account-form";
import { isAbout } from "./form-errors";
import { LinkPage } from "./link-page";
import { linkToken } from "./link-script";

const EXPIRED = {
  title: "This link doesn’t work",
  notice: (
    <>
      <p className="text-muted">
        It’s over a week old, incomplete, or for another account. The console can send you a new
        one.
      </p>
      <ButtonLink href="/overview" variant="primary" size="lg">
        Go to the console
      </ButtonLink>
    </>
  ),
};

/** Confirms the signed-in member's email with the link's token. */
export function ConfirmEmailForm() {
  const { mutate, isPending, isSuccess, error } = useMutation({ mutationFn: postConfirmEmail });
  if (isSuccess) {
    return (
      <Outcome title="Email confirmed">
        <p className="text-muted">You can create API keys now.</p>
        <ButtonLink href="/keys" variant="primary" size="lg">
          Go to API keys
        </ButtonLink>
      </Outcome>
    );
  }
  if (error instanceof AppError && error.code === "missing_session") {
    return (
      <Outcome title="Sign in first">
        <p className="text-muted">
          Sign in with the email that the link was sent to, then open the link again.
        </p>
        <ButtonLink href="/sign-in" variant="primary" size="lg">
          Sign in
        </ButtonLink>
      </Outcome>
    );
  }
  return (
    <LinkPage expired={EXPIRED} isExpired={isAbout(error, "token")}>
      <div className="grid gap-4">
        <p className="text-muted">
          Confirm that this email is yours. Then you can create API keys.
        </p>
        <FormError message={error?.message} />
        <Button
          variant="primary"
          size="lg"
          isPending={isPending}
          onClick={() => mutate({ token: linkToken() })}
        >
          Confirm email
        </Button>
      </div>
    </LinkPage>
  );
}
