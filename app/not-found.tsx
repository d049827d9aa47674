import Link from "next/link";
import { SiteFrame } from "@/components/shell/site-frame";
import { buttonVariants } from "@/components/ui/button";

export default function NotFound() {
  return (
    <SiteFrame>
      <div className="grid justify-items-center gap-4 px-4 py-24 text-center">
        <h1 className="font-semibold text-xl tracking-tight">Page not found</h1>
        <p className="max-w-sm text-muted">
          Check the address, or start from the home page or your API keys.
        </p>
        <div className="flex gap-2">
          <Link href="/" className={buttonVariants()}>
            Home
          </Link>
          <Link href="/keys" className={buttonVariants()}>
            API keys
          </Link>
        </div>
      </div>
    </SiteFrame>
  );
}
