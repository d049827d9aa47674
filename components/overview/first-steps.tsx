import { Check } from "lucide-react";
import Link from "next/link";
import { Button, buttonVariants } from "@/components/ui/button";
import { cn } from "@/lib/cn";
import type { OnboardingChecklist } from "@/lib/money/usage/overview-schema";

const STEPS = [
  {
    id: "key",
    name: "Create a key",
    about: "Use one key per service.",
    action: "Go to API keys",
    href: "/keys",
  },
  {
    id: "document",
    name: "Add a document",
    about: "Answers can then cite your documents, alongside public knowledge.",
    action: "Go to documents",
    href: "/documents",
  },
  {
    id: "cited_answer",
    name: "Get a cited answer",
    about: "Ask in the playground, or send citations: {enabled: true} with your key.",
    action: "Open the playground",
    href: "/playground",
  },
  {
    id: "top_up",
    name: "Add funds",
    about: "Requests are paid from a prepaid balance.",
    action: "Go to billing",
    href: "/billing",
  },
] as const;

interface FirstStepsProps {
  steps: OnboardingChecklist;
  onDismiss: () => void;
}

/** A new account's checklist. Steps are ticked by real events. */
export function FirstSteps({ steps, onDismiss }: FirstStepsProps) {
  const shown = STEPS.filter(({ id }) => steps[id] !== null);
  const done = shown.filter(({ id }) => steps[id]).length;
  const next = shown.find(({ id }) => !steps[id]);
  return (
    <section aria-labelledby="first-steps" className="rounded-lg border bg-surface">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-2.5">
        <div className="items-center gap-3 sm:flex">
          <h2 id="first-steps" className="font-medium text-base">
            Get started
          </h2>
          <p className="text-muted">
            {done === shown.length ? "All done" : `${done} of ${shown.length} done`}
          </p>
        </div>
        <Link href="/start" className={cn(buttonVariants({ size: "sm" }), "ml-auto")}>
          Show code
        </Link>
        <Button variant="ghost" size="sm" onClick={onDismiss} className="-mr-2">
          Dismiss<span className="sr-only"> the first steps</span>
        </Button>
      </header>
      <ol className="grid sm:grid-cols-2 xl:grid-cols-4">
        {shown.map((step, index) => (
          <li
            key={step.id}
            aria-current={step === next ? "step" : undefined}
            className="grid grid-cols-[auto_minmax(0,1fr)] content-start gap-x-3 gap-y-2 px-4 py-3.5"
          >
            <StepMark number={index + 1} isDone={Boolean(steps[step.id])} />
            <div className="grid gap-0.5">
              <p className={cn("font-medium", steps[step.id] && "text-muted")}>
                {step.name}
                {steps[step.id] && <span className="sr-only">, done</span>}
              </p>
              {!steps[step.id] && <p className="text-muted text-xs leading-5">{step.about}</p>}
            </div>
            {!steps[step.id] && (
              <Link
                href={step.href}
                className={cn(
                  buttonVariants({
                    size: "sm",
                    variant: step === next ? "primary" : "secondary",
                  }),
                  "col-start-2 justify-self-start",
                )}
              >
                {step.action}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function StepMark({ number, isDone }: { number: number; isDone: boolean }) {
  return (
    <span
      aria-hidden
      className={cn(
        "grid size-5 place-items-center rounded-full font-medium text-xs tabular-nums",
        isDone ? "bg-success-soft text-success" : "border border-control text-muted",
      )}
    >
      {isDone ? <Check className="size-3.5" /> : number}
    </span>
  );
}
