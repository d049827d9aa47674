"use client";

import { useEffect, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { registerField, TextField } from "@/components/ui/field";
import { Skeleton } from "@/components/ui/skeleton";
import { fetchInvitation, postJoin, signInWithPassword } from "@/lib/auth/client";
import type { InvitationOffer } from "@/lib/auth/schema";
import { AccountForm, Outcome } from "./account-form";
import { isAbout, showServerError } from "./form-errors";
import { formResolver } from "./form-resolver";
import { NewPasswordField } from "./password-field";
import { useLinkToken } from "./use-link-token";

/** Opens an invitation link, creates its member, signs them in and goes to `path`. */
export function JoinForm({ path }: { path: string }) {
  const token = useLinkToken();
  const [attempt, setAttempt] = useState(0);
  if (token === null) {
    return <Expired />;
  }
  return token ? (
    <Invitation
      // Another link or another attempt starts over.
      key={`${token} ${attempt}`}
      token={token}
      path={path}
      onRetry={() => setAttempt(attempt + 1)}
    />
  ) : (
    <Loading />
  );
}

interface InvitationProps {
  token: string;
  path: string;
  onRetry: () => void;
}

function Invitation({ token, path, onRetry }: InvitationProps) {
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
    return <Loading />;
  }
  if (isAbout(offer, "token")) {
    return <Expired />;
  }
  return offer instanceof Error ? (
    <Outcome title="The invitation couldn’t be loaded">
      <p className="text-muted">{offer.message}</p>
      <Button size="lg" onClick={onRetry}>
        Try again
      </Button>
    </Outcome>
  ) : (
    <MemberForm token={token} offer={offer} path={path} onExpired={setOffer} />
  );
}

function Loading() {
  return (
    <div className="grid gap-4">
      <p role="status" className="sr-only">
        Loading the invitation
      </p>
      <Skeleton className="w-56" />
      <Skeleton className="h-9" />
      <Skeleton className="h-9" />
    </div>
  );
}

function Expired() {
  return (
    <Outcome title="This invitation has expired">
      <p className="text-muted">
        It was used or revoked, is over a week old, or the link is incomplete. Ask the person who
        sent it for a new one.
      </p>
    </Outcome>
  );
}

interface MemberFormProps {
  token: string;
  offer: InvitationOffer;
  path: string;
  onExpired: (error: Error) => void;
}

function MemberForm({ token, offer, path, onExpired }: MemberFormProps) {
  const form = useForm({
    defaultValues: { name: "", password: "" },
    resolver: formResolver(({ newMember }) => newMember),
  });
  const [password, name] = useWatch({ control: form.control, name: ["password", "name"] });
  const submit = form.handleSubmit(async (values) => {
    try {
      await postJoin({ token, ...values });
      const outcome = await signInWithPassword(offer.email, values.password);
      window.location.assign(outcome === "signed_in" ? path : "/sign-in?error=after_sign_up");
    } catch (error) {
      showServerError(form.setError, error, ["password"]);
      if (error instanceof Error && isAbout(error, "token")) {
        onExpired(error);
      }
    }
  });
  return (
    <AccountForm state={form.formState} onSubmit={submit} submitLabel="Join" isLeaving>
      <p className="break-words text-muted">
        Join <strong className="font-medium text-ink">{offer.account_name}</strong> as{" "}
        {offer.role === "owner" ? "an owner" : "a member"}. You’ll sign in with{" "}
        <strong className="font-medium text-ink">{offer.email}</strong>.
      </p>
      <TextField label="Name (optional)" {...registerField(form, "name")} autoComplete="name" />
      <NewPasswordField
        label="Password"
        password={password}
        known={[offer.email, name]}
        {...registerField(form, "password")}
      />
    </AccountForm>
  );
}
