import { BookOpen, FileText, MessageSquareQuote } from "lucide-react";
import Link from "next/link";

const NEXT = [
  {
    href: "/documents?upload=1",
    name: "Add your documents",
    about: "Answers cite them alongside public knowledge.",
    icon: FileText,
  },
  {
    href: "/playground",
    name: "Ask in the playground",
    about: "No code, with sources and verdicts beside the answer.",
    icon: MessageSquareQuote,
  },
  {
    href: "/docs/citations",
    name: "Read how citations work",
    about: "What a verdict means, and what it can’t tell you.",
    icon: BookOpen,
  },
];

export function NextSteps() {
  return (
    <section aria-labelledby="next" className="grid gap-2.5">
      <h2 id="next" className="font-medium text-base">
        Next
      </h2>
      <ul className="divide-y rounded-lg border bg-surface">
        {NEXT.map(({ href, name, about, icon: Icon }) => (
          <li key={href} className="relative flex gap-3 p-3.5 hover:bg-sunken/50">
            <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
            <span className="grid gap-0.5">
              <Link
                href={href}
                prefetch={false}
                className="rounded-sm font-medium after:absolute after:inset-0"
              >
                {name}
              </Link>
              <span className="text-muted text-xs">{about}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
