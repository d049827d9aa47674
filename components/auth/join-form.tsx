"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { FormError } from "@/components/ui/form-error";
import { Input } from "@/components/ui/input";
import { Skeleton } from "@/components/ui/skeleton";
import { fetchInvitation, postJoin, signInWithPassword } from "@/lib/auth/client";
import { type InvitationOffer, Join } from "@/lib/auth/schema";
import { Outcome } from "./outcome";
import { PasswordInput } from "./password-input";
import { formatRefusal, isAbout } from "./refusal";
import { StrengthHint } from "./strength-hint";
import { useLinkToken } from "./use-link-token";

const Chosen = Join.pick({ password: true, name: true });

/** Opens an invitation's link, makes the member it is for, signs them in and goes to `path`. */
export function JoinForm({ path }: { path: string }) {
  const token = useLinkToken();
  const [attempt, setAttempt] = useState(0);
  if (token === null) {
    return <UsedUp />;
  }
  return token ? (
    <ByInvitation
      // Another link, or another attempt, begins anew.
      key={`${token} ${attempt}`}
      token={token}
      path={path}
      onRetry={() => setAttempt(attempt + 1)}
    />
  ) : (
    <Opening />
  );
}

interface ByInvitationProps {
  token: string;
  path: string;
  onRetry: () => void;
}

function ByInvitation({ token, path, onRetry }: ByInvitationProps) {
  const [offer, setOffer] = useState<InvitationOffer | Error | null>(null);
  useEffect(() => {
    let isCurrent = true;
    fetchInvitation(token).then(
      (opened) => isCurrent && setOffer(opened),
      (error: Error) => isCurrent && setOffer(error),
    );
    return () => {
      isCurrent = false;
    };
  }, [token]);
  if (!offer) {
    return <Opening />;
  }
  if (isAbout(offer, "token")) {
    return <UsedUp />;
  }
  return offer instanceof Error ? (
    <Outcome title="The invitation could not be opened">
      <p className="text-muted">{offer.message}</p>
      <Button size="lg" onClick={onRetry}>
        Try again
      </Button>
    </Outcome>
  ) : (
    <MemberForm token={token} offer={offer} path={path} onUsedUp={setOffer} />
  );
}

function Opening() {
  return (
    <div className="grid gap-4">
      <p role="status" className="sr-only">
        Opening the invitation
      </p>
      <Skeleton className="w-56" />
      <Skeleton className="h-9" />
      <Skeleton className="h-9" />
    </div>
  );
}

function UsedUp() {
  return (
    <Outcome title="This invitation works no more">
      <p className="text-muted">
        It was used or revoked, it is older than a week, or its link was cut short. Ask whoever sent
        it for a new one.
      </p>
    </Outcome>
  );
}

interface MemberFormProps {
  token: string;
  offer: InvitationOffer;
  path: string;
  onUsedUp: (error: Error) => void;
}

function MemberForm({ token, offer, path, onUsedUp }: MemberFormProps) {
  const form = useForm({
    defaultValues: { name: "", password: "" },
    resolver: zodResolver(Chosen),
  });
  const { errors, isSubmitting, isSubmitSuccessful } = form.formState;
  const [password, name] = useWatch({ control: form.control, name: ["password", "name"] });
  const submit = form.handleSubmit(async (values) => {
    try {
      await postJoin({ token, ...values });
      const outcome = await signInWithPassword(offer.email, values.password);
      window.location.assign(outcome === "signed_in" ? path : "/sign-in?error=after_sign_up");
    } catch (error) {
      const { field, message } = formatRefusal(error);
      form.setError(field, { message }, { shouldFocus: field === "password" });
      if (error instanceof Error && isAbout(error, "token")) {
        onUsedUp(error);
      }
    }
  });
  return (
    // Sent before the page has its script, a form without a method would put the password into the address.
    <form method="post" noValidate onSubmit={submit} className="grid gap-4">
      <p className="break-words text-muted">
        Join <strong className="font-medium text-ink">{offer.account_name}</strong> as{" "}
        {offer.role === "owner" ? "an owner" : "a member"}. You sign in with{" "}
        <strong className="font-medium text-ink">{offer.email}</strong>.
      </p>
      <Field label="Name (optional)" error={errors.name?.message}>
        {(control) => <Input {...control} {...form.register("name")} autoComplete="name" />}
      </Field>
      <Field
        label="Password"
        hint={<StrengthHint password={password} known={[offer.email, name]} />}
        error={errors.password?.message}
      >
        {(control) => (
          <PasswordInput {...control} {...form.register("password")} autoComplete="new-password" />
        )}
      </Field>
      <FormError message={errors.root?.message} />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        isPending={isSubmitting || isSubmitSuccessful}
      >
        Join
      </Button>
    </form>
  );
}
