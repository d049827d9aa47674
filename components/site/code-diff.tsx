/** The one line that a program adds, in Python. */
export function CodeDiff() {
  return (
    <figure className="min-w-0">
      <figcaption className="sr-only">The line to add to a Python program</figcaption>
      <pre className="whitespace-pre-wrap rounded-xl bg-code py-4 font-mono text-[0.8125rem] text-on-code leading-6 [overflow-wrap:anywhere]">
        <code>
          <Line>client.chat.completions.create(</Line>
          <Line indent>
            model=<Text>"gpt-5-mini"</Text>, messages=messages,
          </Line>
          <span className="block bg-[oklch(0.84_0.12_155/0.13)] px-5 text-code-add">
            +{" "}
            <span className="text-on-code">
              extra_body={"{"}
              <Text>"citations"</Text>: {"{"}
              <Text>"enabled"</Text>: <span className="text-code-key">True</span>
              {"}}"},
            </span>
          </span>
          <Line>)</Line>
        </code>
      </pre>
    </figure>
  );
}

function Line({ indent, children }: { indent?: boolean; children: React.ReactNode }) {
  return <span className={`block ${indent ? "pr-5 pl-9" : "px-5"}`}>{children}</span>;
}

function Text({ children }: { children: string }) {
  return <span className="text-code-string">{children}</span>;
}
