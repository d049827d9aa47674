import { useRouter } from "next/navigation";
import { lazy, Suspense } from "react";
import { Button, ButtonLink } from "@/components/ui/button";
import { FormError } from "@/components/ui/form-error";
import {
  useKeepOriginals,
  useRenameAccount,
  useRenameMember,
} from "@/lib/platform/auth/settings-client";
import type { Settings } from "@/lib/platform/auth/settings-schema";
import { ROLE_LABELS } from "./labels";
import { Section, SectionBody } from "./section";

// Rendered on the server; their code loads after the page.
const NameForm = lazy(async () => ({ default: (await import("./name-form")).NameForm }));
const PasswordForm = lazy(async () => ({
  default: (await import("./password-form")).PasswordForm,
}));

const FACTS = "grid grid-cols-[6rem_minmax(0,1fr)] gap-y-2 [&_dt]:text-muted";

export function ProfileSection({ profile }: Pick<Settings, "profile">) {
  const router = useRouter();
  const renaming = useRenameMember();
  const save = async (input: { name: string }) => {
    await renaming.mutateAsync(input);
    // The account menu shows the name too.
    router.refresh();
  };
  return (
    <Section title="Profile" description="How other members see you.">
      <SectionBody>
        <dl className={FACTS}>
          <dt>Email</dt>
          <dd className="break-words">{profile.email}</dd>
          <dt>Role</dt>
          <dd>{ROLE_LABELS[profile.role].name}</dd>
        </dl>
        <Suspense>
          <NameForm label="Your name" name={profile.name ?? ""} autoComplete="name" save={save} />
        </Suspense>
      </SectionBody>
    </Section>
  );
}

export function PasswordSection({ profile }: Pick<Settings, "profile">) {
  return (
    <Section
      title="Password"
      description="Changing it signs you out of all other browsers. API keys keep working."
    >
      <SectionBody>
        {profile.has_password ? (
          <Suspense>
            <PasswordForm known={[profile.email, profile.name ?? undefined]} />
          </Suspense>
        ) : (
          <>
            <p>You sign in with another provider. To add a password, request a reset link.</p>
            <div>
              <ButtonLink href="/forgot-password">Set a password</ButtonLink>
            </div>
          </>
        )}
      </SectionBody>
    </Section>
  );
}

export function OriginalsSection({ account, profile }: Pick<Settings, "account" | "profile">) {
  const keeping = useKeepOriginals();
  const isKept = account.keep_originals && account.can_keep_originals;
  const canChange = profile.role === "owner" && account.can_keep_originals;
  return (
    <Section
      title="Original files"
      description="Keep the files you upload, so you can download them and see quotes on their original pages."
    >
      <SectionBody>
        <p>
          {isKept
            ? "Original files are stored."
            : account.can_keep_originals
              ? "Original files are deleted once they are processed."
              : "This server doesn’t store original files."}
        </p>
        {canChange && (
          <div className="grid gap-2">
            <p className="text-muted text-xs">
              {isKept
                ? "Turning this off also deletes the files stored so far. Their text stays searchable."
                : "Turning this on applies to new uploads."}
            </p>
            <div>
              <Button
                isPending={keeping.isPending}
                onClick={() => keeping.mutate({ keep_originals: !isKept })}
              >
                {isKept ? "Stop storing originals" : "Store originals"}
              </Button>
            </div>
            <FormError message={keeping.error?.message} />
          </div>
        )}
      </SectionBody>
    </Section>
  );
}

export function AccountSection({ account, profile }: Pick<Settings, "account" | "profile">) {
  const renaming = useRenameAccount();
  return (
    <Section title="Account" description="Members share its keys, documents and balance.">
      <SectionBody>
        {profile.role === "owner" ? (
          <Suspense>
            <NameForm
              label="Account name"
              hint="Shown to people you invite."
              name={account.name}
              autoComplete="organization"
              save={renaming.mutateAsync}
            />
          </Suspense>
        ) : (
          <dl className={FACTS}>
            <dt>Name</dt>
            <dd className="break-words">{account.name}</dd>
          </dl>
        )}
        <p className="text-muted text-xs">
          ID <code className="break-all font-mono">{account.id}</code>
        </p>
      </SectionBody>
    </Section>
  );
}
