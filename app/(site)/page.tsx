import Link from "next/link";
import { GetKey } from "@/components/shell/get-key";
import { Clients } from "@/components/site/clients";
import { Figures } from "@/components/site/figures";
import { Hero } from "@/components/site/hero";
import { LiveDemo } from "@/components/site/live-demo";
import { Showcase } from "@/components/site/showcase";
import { buttonVariants } from "@/components/ui/button";

export default function HomePage() {
  return (
    <div data-wide>
      <Hero />
      <LiveDemo />
      <div className="mx-auto grid max-w-7xl gap-20 px-4 py-20 sm:gap-28 sm:px-6 sm:py-28">
        <Showcase />
        <Figures />
        <Clients />
      </div>
      <section className="border-t bg-sunken">
        <div className="mx-auto grid max-w-6xl justify-items-center gap-6 px-4 py-20 text-center sm:px-6">
          <h2 className="max-w-2xl text-balance font-medium font-serif text-4xl leading-[1.08] tracking-[-0.02em] sm:text-5xl">
            Citation needed? Ship it with one.
          </h2>
          <div className="flex flex-wrap justify-center gap-3">
            <GetKey size="xl" />
            <Link href="/docs/quickstart" className={buttonVariants({ size: "xl" })}>
              Read the quickstart
            </Link>
          </div>
        </div>
      </section>
    </div>
  );
}
