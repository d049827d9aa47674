import { fieldsOf, formatLimit, formatType, type JsonSchema } from "./json-schema";

/** Renders a summary's backticks as code. */
export function Summary({ text }: { text: string }) {
  return text.split("`").map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part can repeat, and the order never changes.
      <code key={index} className="rounded bg-sunken px-1 font-mono text-[0.85em]">
        {part}
      </code>
    ) : (
      part
    ),
  );
}

/** An object's fields with types and limits. Nested objects are collapsed. */
export function Fields({ schema }: { schema: JsonSchema }) {
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

export function Field({ name, schema, isRequired }: FieldProps) {
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
          {schema.description && (
            <p>
              <Summary text={schema.description} />
            </p>
          )}
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
