import Link from "next/link";
import { buttonVariants } from "@/components/ui/button";

/** The main button of public pages: visitors get a key, members open the console. `data-member` on `<html>` decides. */
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
