import { expect, it } from "vitest";
import { readCatalogue } from "./catalogue";
import { SentCall } from "./sent-call";

const upstream = { base_url: "https://models.example/v1", api_key: "x" };
const LIMIT = 100;

async function excessOf(reasoning: boolean, how: "left" | "answered", usage?: object) {
  const [model] = readCatalogue(JSON.stringify([{ id: "any", upstream, reasoning }]));
  if (!model) {
    throw new Error("no model");
  }
  const request = { model: "any", messages: [{ role: "user" as const, content: "Hi" }] };
  const call = new SentCall(model, request, { prompt: 1000, completion: LIMIT });
  call.write({ content: "Hello." });
  if (how === "left") {
    call.leave("left", () => {});
  }
  call.report(usage);
  call.end("answered");
  await call.count();
  return call.excess.completion;
}

it("may have hidden reasoning up to its limit when its caller left and no usage came, even if its text is whole", async () => {
  expect(await excessOf(true, "left")).toBe(LIMIT - 2);
  expect(await excessOf(true, "left", { prompt_tokens: 9, completion_tokens: 90 })).toBe(0);
  expect(await excessOf(true, "answered")).toBe(0);
  expect(await excessOf(false, "left")).toBe(0);
});
