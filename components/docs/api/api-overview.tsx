import Link from "next/link";
import { DocFrame } from "../doc-frame";
import { TextLink } from "../prose";
import { Fields, Summary } from "./fields";
import { readApi, readResources } from "./openapi";

const CODE = "font-mono text-[0.85em]";
const TITLE = "mt-10 font-medium font-serif text-[1.75rem] leading-tight tracking-[-0.015em]";

/** All operations by resource, each with the anchor that links to it use. */
export function ApiOverview() {
  const resources = readResources();
  const toc = [
    ...resources.map(({ slug, name }) => ({ url: `#${slug}`, title: name, depth: 2 })),
    { url: "#error", title: "Errors", depth: 2 },
  ];
  return (
    <DocFrame url="/docs/api" toc={toc}>
      <h1 className="font-medium font-serif text-4xl tracking-[-0.02em] sm:text-[2.75rem]">
        API reference
      </h1>
      <p>
        All paths start with <code className={CODE}>/v1</code> and take an API key as a bearer
        token: <TextLink address="/docs/keys">keys and scopes</TextLink>. Chat completions accept
        every OpenAI field; fields that aren’t listed are passed to the model unchanged. As an
        OpenAPI 3.1 document: <TextLink address="/openapi.json">openapi.json</TextLink>.
      </p>
      <p>
        See also <TextLink address="/docs/retries">rate limits and retries</TextLink>,{" "}
        <TextLink address="/docs/idempotency">idempotency</TextLink> and{" "}
        <TextLink address="/docs/pagination">pagination</TextLink>.
      </p>
      {resources.map(({ slug, name, operations }) => (
        <section key={slug} aria-labelledby={slug} className="grid min-w-0 gap-3">
          <h2 id={slug} className={TITLE}>
            <Link href={`/docs/api/${slug}`} className="underline-offset-4 hover:underline">
              {name}
            </Link>
          </h2>
          <ul className="divide-y border-y text-sm leading-6">
            {operations.map(({ anchor, method, path, summary }) => (
              <li
                key={anchor}
                className="grid gap-x-4 py-2.5 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]"
              >
                <h3
                  id={anchor}
                  className="min-w-0 font-mono text-xs leading-6 [overflow-wrap:anywhere]"
                >
                  <Link
                    href={`/docs/api/${slug}#${anchor}`}
                    prefetch={false}
                    className="rounded-sm underline-offset-4 hover:underline"
                  >
                    <span className="text-accent">{method.toUpperCase()}</span> {path}
                  </Link>
                </h3>
                <p className="text-muted">
                  <Summary text={summary} />
                </p>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <h2 id="error" className={TITLE}>
        Errors
      </h2>
      <p>
        Every error has the same body, <code className={CODE}>error</code> with a message, type,
        param and code:{" "}
        <TextLink address="/docs/errors">what each code means and what to do</TextLink>. Every
        response has the header <code className={CODE}>x-request-id</code>.
      </p>
      <div className="text-sm">
        <Fields schema={readApi().components.schemas.ErrorResponse} />
      </div>
    </DocFrame>
  );
}
