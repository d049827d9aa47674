"use client";

import { type ComponentProps, useEffect, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { registerField, TextField } from "@/components/ui/field";
import { FormError } from "@/components/ui/form-error";
import { cn } from "@/lib/cn";
import { fetchInvitation, postJoin, signInWithPassword } from "@/lib/platform/auth/client";
import type { InvitationOffer } from "@/lib/platform/auth/schema";
import { AccountForm } from "./account-form";
import { isAbout, showServerError } from "./form-errors";
import { formResolver } from "./form-resolver";
import { LinkPage } from "./link-page";
import { linkToken, ROLE_PHRASES, scriptedOffer } from "./link-script";
import { NewPasswordField } from "./password-field";

const EXPIRED = {
  title: "This invitation has expired",
  notice: (
    <p className="text-muted">
      It was used or revoked, is over a week old, or the link is incomplete. Ask the person who sent
      it for a new one.
    </p>
  ),
};

/** Creates the member that the link invites, signs them in and goes to `path`. */
export function JoinForm({ path }: { path: string }) {
  const [offer, setOffer] = useState<InvitationOffer | Error | null>(null);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt fetches again.
  useEffect(() => {
    let isCurrent = true;
    const show = (fetched: InvitationOffer | Error) => isCurrent && setOffer(fetched);
    if (linkToken()) {
      loadOffer().then(show, show);
    }
    return () => {
      isCurrent = false;
    };
  }, [attempt]);
  return (
    <LinkPage expired={EXPIRED} isExpired={isAbout(offer, "token")}>
      {offer instanceof Error && (
        <div className="mb-4 grid gap-3">
          <FormError message={`The invitation couldn’t be loaded. ${offer.message}`} />
          <Button onClick={() => setAttempt(attempt + 1)}>Try again</Button>
        </div>
      )}
      <MemberForm offer={offer instanceof Error ? null : offer} path={path} onExpired={setOffer} />
    </LinkPage>
  );
}

/** Asks the server only if the page's script couldn't. */
async function loadOffer(): Promise<InvitationOffer> {
  return (await scriptedOffer()) ?? (await fetchInvitation(linkToken()));
}

interface MemberFormProps {
  /** Null until it is fetched. */
  offer: InvitationOffer | null;
  path: string;
  onExpired: (error: Error) => void;
}

function MemberForm({ offer, path, onExpired }: MemberFormProps) {
  // No default values: they would overwrite what was typed before hydration.
  const form = useForm({ resolver: formResolver(({ newMember }) => newMember) });
  const [password = "", name] = useWatch({ control: form.control, name: ["password", "name"] });
  const submit = form.handleSubmit(async (values) => {
    try {
      const token = linkToken();
      const { email } = offer ?? (await loadOffer());
      await postJoin({ token, ...values });
      const outcome = await signInWithPassword(email, values.password);
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
      <Offer offer={offer} />
      <TextField label="Name (optional)" {...registerField(form, "name")} autoComplete="name" />
      <NewPasswordField
        label="Password"
        password={password}
        known={[offer?.email, name]}
        {...registerField(form, "password")}
      />
    </AccountForm>
  );
}

/** Who joins what. `INVITATION_SCRIPT` fills it in before React loads; two lines are kept free for it. */
function Offer({ offer }: { offer: InvitationOffer | null }) {
  return (
    <p
      role="status"
      className={cn(
        "min-h-10 break-words text-muted [[data-link=open]_&]:visible",
        !offer && "invisible",
      )}
    >
      Join <Fact data-offer="account_name">{offer?.account_name}</Fact> as{" "}
      <span data-offer="role" suppressHydrationWarning>
        {offer ? ROLE_PHRASES[offer.role] : "…"}
      </span>
      . You’ll sign in with <Fact data-offer="email">{offer?.email}</Fact>.
    </p>
  );
}

function Fact({ children, ...props }: ComponentProps<"strong"> & { "data-offer": string }) {
  return (
    <strong {...props} suppressHydrationWarning className="font-medium text-ink">
      {children ?? "…"}
    </strong>
  );
}
