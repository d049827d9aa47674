import Link from "next/link";

const LINK = "underline underline-offset-4";

/** How the templates in docs/legal begin. */
const TEMPLATE = "> **Template.**";

/** What a new member agrees to: nothing as long as one of `texts`, the legal pages, is still a template. */
export function TermsNotice({ texts }: { texts: readonly string[] }) {
  return texts.some((text) => text.includes(TEMPLATE)) ? (
    <p className="text-muted text-xs leading-5">
      The operator of this server hasn’t published terms or a privacy policy of their own yet.
    </p>
  ) : (
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
