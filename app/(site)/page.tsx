import Link from "next/link";
import { CodeSample } from "@/components/site/code-sample";
import { ExampleAnswer } from "@/components/site/example-answer";
import { buttonLook } from "@/components/ui/button";

export default function HomePage() {
  return (
    <div className="mx-auto grid max-w-5xl gap-14 px-4 py-12 sm:px-6 sm:py-20">
      <section className="grid justify-items-start gap-5">
        <h1 className="max-w-3xl text-balance font-semibold text-3xl tracking-tight sm:text-4xl">
          Chat completions that cite the sources they answer from.
        </h1>
        <p className="max-w-2xl text-base text-muted">
          Footnote is an HTTP API for stock OpenAI clients. Add one object to a request, and the
          answer comes with numbered sources from public medical knowledge and your own documents.
        </p>
        <div className="flex flex-wrap gap-2">
          <Link href="/sign-up" className={buttonLook({ variant: "primary", size: "lg" })}>
            Create an account
          </Link>
          <Link href="/sign-in" className={buttonLook({ size: "lg" })}>
            Sign in to the console
          </Link>
        </div>
      </section>
      <div className="grid items-start gap-10 lg:grid-cols-2">
        <ExampleAnswer />
        <CodeSample />
      </div>
    </div>
  );
}
