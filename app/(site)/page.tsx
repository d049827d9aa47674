import Link from "next/link";
import { CodeSample } from "@/components/docs/code-sample";
import { Figures } from "@/components/site/figures";
import { Hero } from "@/components/site/hero";
import { LiveDemo } from "@/components/site/live-demo";
import { SAMPLES } from "@/components/site/samples";
import { Showcase } from "@/components/site/showcase";
import { buttonVariants } from "@/components/ui/button";

export default function HomePage() {
  return (
    <div data-wide>
      <Hero />
      <LiveDemo />
      <div className="mx-auto grid max-w-6xl gap-20 px-4 py-20 sm:gap-28 sm:px-6 sm:py-28">
        <Showcase />
        <Figures />
        <section className="grid items-start gap-x-14 gap-y-8 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
          <div className="grid gap-4">
            <h2 className="text-balance font-medium font-serif text-4xl leading-[1.1] tracking-[-0.02em]">
              Use the client you already have
            </h2>
            <p className="text-pretty text-[1.0625rem] text-muted leading-7">
              Change the base URL and add <code className="font-mono text-ink">citations</code>.
              Streaming, tools and stored answers work as before.
            </p>
          </div>
          <CodeSample samples={SAMPLES} />
        </section>
      </div>
      <section className="border-t bg-sunken">
        <div className="mx-auto grid max-w-6xl justify-items-center gap-6 px-4 py-20 text-center sm:px-6">
          <h2 className="max-w-2xl text-balance font-medium font-serif text-4xl leading-[1.08] tracking-[-0.02em] sm:text-5xl">
            Citation needed? Ship it with one.
          </h2>
          <div className="flex flex-wrap justify-center gap-3">
            <Link href="/sign-up" className={buttonVariants({ variant: "primary", size: "xl" })}>
              Get an API key
            </Link>
            <Link href="/docs/quickstart" className={buttonVariants({ size: "xl" })}>
              Read the quickstart
            </Link>
          </div>
        </div>
      </section>
    </div>
  );
}
