import { Badge } from "@/components/ui/badge";
import { CodeSample } from "../code-sample";
import { DocFrame } from "../doc-frame";
import { TextLink } from "../prose";
import type { Heading } from "../tree";
import { exampleOf } from "./examples";
import { fieldsOf, formatLimit, formatType, type JsonSchema } from "./json-schema";
import { groupOperations, type Operation, readApi } from "./openapi";

const ERROR: Heading = { id: "error", text: "Errors", depth: 2 };

export async function ApiReference() {
  const api = await readApi();
  const groups = groupOperations(api).map((group) => ({ ...group, id: idOf(group.name) }));
  const headings = groups.flatMap(({ id, name, all }): Heading[] => [
    { id, text: name, depth: 2 },
    ...all.map(({ anchor, method, path }) => ({
      id: anchor,
      text: `${method.toUpperCase()} ${path.replace("/v1", "")}`,
      depth: 3 as const,
    })),
  ]);
  return (
    <DocFrame slug="api" headings={[...headings, ERROR]}>
      <h1 className="font-semibold text-2xl tracking-tight sm:text-3xl">API reference</h1>
      <p>
        All paths start with <code className="font-mono text-[0.85em]">/v1</code> and take an API
        key as a bearer token: <TextLink address="/docs/keys">keys and scopes</TextLink>. As an
        OpenAPI 3.1 document: <TextLink address="/openapi.json">openapi.json</TextLink>. Chat
        completions accept every OpenAI field. Fields that aren’t listed are passed to the model
        unchanged.
      </p>
      {groups.map(({ id, name, all }) => (
        <div key={id} className="grid min-w-0">
          <h2 id={id} className="mt-10 font-semibold text-xl tracking-tight">
            <a href={`#${id}`} className="rounded underline-offset-4 hover:underline">
              {name}
            </a>
          </h2>
          {all.map((operation) => (
            <OperationView key={operation.anchor} operation={operation} />
          ))}
        </div>
      ))}
      <h2 id={ERROR.id} className="mt-10 font-semibold text-xl tracking-tight">
        {ERROR.text}
      </h2>
      <p>
        Every error has the same body, <code className="font-mono text-[0.85em]">error</code> with a
        message, type, param and code:{" "}
        <TextLink address="/docs/errors">see what each code means and what to do</TextLink>. Every
        response has the header <code className="font-mono text-[0.85em]">x-request-id</code>.
      </p>
      <div className="text-sm">
        <Fields schema={api.components.schemas.Error} />
      </div>
    </DocFrame>
  );
}

function idOf(name: string): string {
  return name.toLowerCase().replaceAll(/\W+/g, "-");
}

function OperationView({ operation }: { operation: Operation }) {
  const { anchor, method, path, summary, parameters, requestBody, responses } = operation;
  const [status = "200", success] =
    Object.entries(responses).find(([code]) => code.startsWith("2")) ?? [];
  const { "application/json": json, "application/jsonl": lines } = success?.content ?? {};
  const answer = (json ?? lines)?.schema;
  const answered = answer && fieldsOf(answer);
  return (
    <section aria-labelledby={anchor} className="mt-6 grid min-w-0 gap-4 border-t pt-8 text-sm">
      <div className="grid gap-2">
        <h3 id={anchor} className="font-medium font-mono text-sm [overflow-wrap:anywhere]">
          <a href={`#${anchor}`} className="rounded-sm underline-offset-4 hover:underline">
            <span className="text-accent">{method.toUpperCase()}</span> {path}
          </a>
        </h3>
        <p className="text-[0.9375rem]">{toPlainText(summary)}</p>
        <p className="flex items-center gap-2 text-muted text-xs">
          Scope <Badge tone="neutral">{operation["x-scope"]}</Badge>
        </p>
      </div>
      <CodeSample samples={[{ label: "curl", code: exampleOf(operation) }]} />
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
      <Part title={`Response, ${status}`}>
        {answered ? (
          <Fields schema={answered} />
        ) : (
          <p className="text-muted text-xs">{answer ? formatType(answer) : "JSON"}</p>
        )}
      </Part>
    </section>
  );
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className="grid min-w-0 gap-2">
      <h4 className="font-medium text-xs">{title}</h4>
      {children}
    </div>
  );
}

/** Renders a summary's backticks as code. */
function toPlainText(summary: string) {
  return summary.split("`").map((part, index) =>
    index % 2 === 1 ? (
      <code key={part} className="rounded bg-sunken px-1 font-mono text-[0.85em]">
        {part}
      </code>
    ) : (
      part
    ),
  );
}

/** An object's fields with types and limits. Nested objects are collapsed. */
function Fields({ schema }: { schema: JsonSchema }) {
  const fields = Object.entries(schema.properties ?? {});
  return (
    <dl className="divide-y border-y">
      {fields.map(([name, field]) => (
        <Field
          key={name}
          name={name}
          schema={field}
          isRequired={schema.required?.includes(name) ?? false}
        />
      ))}
    </dl>
  );
}

interface FieldProps {
  name: string;
  schema: JsonSchema;
  isRequired: boolean;
}

function Field({ name, schema, isRequired }: FieldProps) {
  const within = fieldsOf(schema);
  const limit = formatLimit(schema);
  return (
    <div className="py-2.5">
      <dt className="flex flex-wrap items-baseline gap-x-2.5">
        <code className="font-mono text-xs [overflow-wrap:anywhere]">{name}</code>
        <span className="text-muted text-xs [overflow-wrap:anywhere]">{formatType(schema)}</span>
        {isRequired && <span className="text-accent text-xs">required</span>}
      </dt>
      {(schema.description || limit || within) && (
        <dd className="grid gap-1 text-xs leading-5">
          {schema.description && <p>{schema.description}</p>}
          {limit && <p className="text-muted">{limit}</p>}
          {within && (
            <details>
              <summary className="min-h-6 w-fit cursor-pointer rounded-sm text-accent leading-6">
                Fields of {name}
              </summary>
              <div className="mt-1 ml-1 border-l pl-4">
                <Fields schema={within} />
              </div>
            </details>
          )}
        </dd>
      )}
    </div>
  );
}
