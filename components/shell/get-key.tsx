import Link from "next/link";
import { buttonVariants } from "@/components/ui/button";

/** What a public page asks of a visitor, or of a member, who has an account. `data-member` on `<html>` decides. */
export function GetKey({ size }: { size?: "lg" | "xl" }) {
  const look = buttonVariants({ variant: "primary", ...(size && { size }) });
  return (
    <>
      <span className="in-data-member:hidden">
        <Link href="/sign-up" className={look}>
          Get an API key
        </Link>
      </span>
      <span className="hidden in-data-member:inline">
        <Link href="/overview" className={look}>
          Open console
        </Link>
      </span>
    </>
  );
}
