import { Fragment, type ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { CodeSample } from "../code-sample";
import { DocFrame } from "../doc-frame";
import { EXAMPLES } from "./examples";
import { Field, Fields, Summary } from "./fields";
import { fieldsOf, formatType } from "./json-schema";
import type { Operation, Resource } from "./openapi";
import { samplesOf } from "./request-samples";
import { responseSample } from "./response-example";
import type { TryItSpec } from "./send-request";
import { TryIt } from "./try-it";

/** One resource of the API: each operation's fields beside its samples. */
export function ResourceView({ resource: { slug, name, operations } }: { resource: Resource }) {
  const toc = operations.map(({ anchor, method, path }) => ({
    url: `#${anchor}`,
    title: `${method.toUpperCase()} ${path.replace("/v1", "")}`,
    depth: 2,
  }));
  return (
    <DocFrame url={`/docs/api/${slug}`} toc={toc} isWide>
      <h1 className="font-medium font-serif text-4xl tracking-[-0.02em] sm:text-[2.75rem]">
        {name}
      </h1>
      <ul className="grid w-fit gap-1 text-sm">
        {operations.map((operation) => (
          <li key={operation.anchor}>
            <a
              href={`#${operation.anchor}`}
              className="rounded-sm underline-offset-4 hover:underline"
            >
              <Endpoint operation={operation} />
            </a>
          </li>
        ))}
      </ul>
      {operations.map((operation) => (
        <OperationView key={operation.anchor} operation={operation} />
      ))}
    </DocFrame>
  );
}

function Endpoint({ operation: { method, path } }: { operation: Operation }) {
  return (
    <code className="font-mono text-xs [overflow-wrap:anywhere]">
      <span className="text-accent">{method.toUpperCase()}</span> {path}
    </code>
  );
}

function OperationView({ operation }: { operation: Operation }) {
  const { anchor, summary, parameters, requestBody } = operation;
  return (
    <section
      aria-labelledby={anchor}
      className="mt-6 grid min-w-0 items-start gap-x-10 gap-y-6 border-t pt-8 text-sm xl:grid-cols-2"
    >
      <div className="grid min-w-0 gap-5">
        <div className="grid gap-2">
          <h2 id={anchor} className="font-medium [overflow-wrap:anywhere] [&_code]:text-sm">
            <a href={`#${anchor}`} className="rounded-sm underline-offset-4 hover:underline">
              <Endpoint operation={operation} />
            </a>
          </h2>
          <p className="text-[0.9375rem]">
            <Summary text={summary} />
          </p>
          <p className="flex items-center gap-2 text-muted text-xs">
            Scope <Badge tone="neutral">{operation["x-scope"]}</Badge>
          </p>
        </div>
        {parameters.length > 0 && (
          <Part title="Parameters">
            <dl className="divide-y border-y">
              {parameters.map(({ name, in: place, required, schema }) => (
                <Field key={`${place} ${name}`} name={name} schema={schema} isRequired={required} />
              ))}
            </dl>
          </Part>
        )}
        {Object.entries(requestBody?.content ?? {}).map(([mediaType, { schema }]) => (
          <Part key={mediaType} title={`Body, ${mediaType}`}>
            {schema && <Fields schema={schema} />}
          </Part>
        ))}
        <Answer operation={operation} />
      </div>
      <div className="grid min-w-0 gap-4 xl:sticky xl:top-6">
        <CodeSample samples={samplesOf(operation)} />
        <Responses operation={operation} />
        <TryIt {...tryItOf(operation)} />
      </div>
    </section>
  );
}

function Answer({ operation: { responses } }: { operation: Operation }) {
  const [status = "200", success] =
    Object.entries(responses).find(([code]) => code.startsWith("2")) ?? [];
  const { "application/json": json, "application/jsonl": lines } = success?.content ?? {};
  const answer = (json ?? lines)?.schema;
  const answered = answer && fieldsOf(answer);
  const other = Object.keys(success?.content ?? {})[0] ?? "No body";
  return (
    <Part title={`Response, ${status}`}>
      {answered ? (
        <Fields schema={answered} />
      ) : (
        <p className="text-muted text-xs">{answer ? formatType(answer) : other}</p>
      )}
    </Part>
  );
}

/** What the operation answers, and folded what may go wrong. */
function Responses({ operation }: { operation: Operation }) {
  const code = responseSample(operation);
  const failures = Object.entries(operation.responses).filter(([status]) => status >= "400");
  return (
    <>
      {code && (
        <div className="min-w-0 [&_pre]:max-h-72 [&_pre]:overflow-auto">
          <CodeSample samples={[{ label: "Response", language: "json", code }]} />
        </div>
      )}
      <details className="min-w-0 rounded-lg border bg-surface">
        <summary className="flex min-h-10 cursor-pointer items-center rounded-lg px-4 font-medium outline-offset-[-2px]">
          When it fails
        </summary>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 px-4 pb-3 text-xs leading-5">
          {failures.map(([status, { description }]) => (
            <Fragment key={status}>
              <dt className="font-mono text-muted">{status}</dt>
              <dd>
                <Summary text={description} />
              </dd>
            </Fragment>
          ))}
        </dl>
      </details>
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 gap-2">
      <h3 className="font-medium text-xs">{title}</h3>
      {children}
    </div>
  );
}

/** What the form starts with: the operation's example. */
function tryItOf({ method, path, parameters }: Operation): TryItSpec {
  const { body, lines, form, query } = EXAMPLES[`${method} ${path}`] ?? {};
  return {
    method: method.toUpperCase(),
    path,
    ids: parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name),
    query: query ?? (parameters.some((parameter) => parameter.in === "query") ? "" : null),
    body: body
      ? JSON.stringify(body, null, 2)
      : (lines?.map((line) => JSON.stringify(line)).join("\n") ?? null),
    type: lines ? "application/jsonl" : "application/json",
    form: form ?? null,
  };
}
