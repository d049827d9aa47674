import { call } from "./api";

/** A key that another key created. */
export async function issueKey(key: string, secret: string): Promise<string> {
  const body = { name: secret, mode: "test", scopes: ["kb:search"] };
  const { json } = await call("POST", "/v1/keys", { key, body });
  return json.id;
}
