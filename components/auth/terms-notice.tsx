import Link from "next/link";

const LINK = "underline underline-offset-4";

export function TermsNotice() {
  return (
    <p className="text-muted text-xs leading-5">
      By creating an account, you agree to the{" "}
      <Link href="/terms" className={LINK}>
        terms
      </Link>{" "}
      and the{" "}
      <Link href="/privacy" className={LINK}>
        privacy policy
      </Link>
      .
    </p>
  );
}
