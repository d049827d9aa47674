import Link from "next/link";

const LINK = "underline underline-offset-4";

/** What a template says of itself in docs/legal. */
const TEMPLATE = "> **Template.**";

/** What a new member agrees to: nothing while the operator hasn't replaced the templates, whose texts these are. */
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
