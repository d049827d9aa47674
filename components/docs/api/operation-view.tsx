import { Badge } from "@/components/ui/badge";
import { CodeSample } from "../code-sample";
import { exampleOf } from "./examples";
import { Field, Fields } from "./fields";
import { fieldsOf, formatType } from "./json-schema";
import type { Operation } from "./openapi";

export function OperationView({ operation }: { operation: Operation }) {
  const { anchor, method, path, summary, parameters, requestBody, responses } = operation;
  const [status = "200", success] =
    Object.entries(responses).find(([code]) => code.startsWith("2")) ?? [];
  const answer = success?.content?.["application/json"]?.schema;
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
