import Link from "next/link";
import { CodeSample } from "@/components/docs/code-sample";
import { TextLink } from "@/components/docs/prose";
import { ExampleAnswer } from "@/components/site/example-answer";
import { Promises } from "@/components/site/promises";
import { SAMPLES } from "@/components/site/samples";
import { buttonVariants } from "@/components/ui/button";

export default function HomePage() {
  return (
    <div className="mx-auto grid max-w-5xl gap-16 px-4 py-12 sm:gap-20 sm:px-6 sm:py-20">
      <section className="grid justify-items-start gap-5">
        <h1 className="max-w-3xl text-balance font-semibold text-3xl tracking-tight sm:text-4xl">
          Chat completions that cite their sources.
        </h1>
        <p className="max-w-2xl text-pretty text-base text-muted">
          Keep your OpenAI SDK. Add one field, and every sentence links to the words that support
          it, from public medical knowledge and your own documents.
        </p>
        <div className="flex flex-wrap gap-2">
          <Link href="/sign-up" className={buttonVariants({ variant: "primary", size: "lg" })}>
            Create an account
          </Link>
          <Link href="/docs/quickstart" className={buttonVariants({ size: "lg" })}>
            Read the quickstart
          </Link>
        </div>
      </section>
      <div className="grid items-start gap-10 lg:grid-cols-2">
        <ExampleAnswer />
        <section className="grid min-w-0 gap-3">
          <h2 className="font-medium text-base">Use the client you already have</h2>
          <CodeSample samples={SAMPLES} />
        </section>
      </div>
      <Promises />
      <p className="border-t pt-8 text-muted leading-6">
        Go on with the <TextLink address="/docs">documentation</TextLink>, the{" "}
        <TextLink address="/docs/api">API reference</TextLink>,{" "}
        <TextLink address="/pricing">pricing</TextLink>, or how to{" "}
        <TextLink address="/docs/self-hosting">run it yourself</TextLink>.
      </p>
    </div>
  );
}
