import { DocFrame } from "../doc-frame";
import { TextLink } from "../prose";
import type { Heading } from "../tree";
import { Fields } from "./fields";
import { groupOperations, readApi } from "./openapi";
import { OperationView } from "./operation-view";

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
