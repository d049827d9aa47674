// A GitHub Enterprise Server on loopback, as far as signing in goes. Who signs in is typed on its page.
import { createServer } from "node:http";

/** Listens on a port until the process ends. A code and a token are the person's facts, spelt out. */
export function startFakeGitHub(port) {
  const server = createServer((request, response) => {
    answer(request, new URL(request.url ?? "/", `http://localhost:${port}`)).then(
      ([status, type, body, headers]) =>
        response.writeHead(status, { "content-type": type, ...headers }).end(body),
      () => response.destroy(),
    );
  });
  server.listen(port, "127.0.0.1");
}

async function answer(request, { pathname, searchParams }) {
  switch (pathname) {
    case "/login/oauth/authorize":
      return [200, "text/html", consentPage(searchParams)];
    case "/login/oauth/consent":
      return redirectBack(searchParams);
    case "/login/oauth/access_token":
      return json({ access_token: (await readBody(request)).get("code"), token_type: "bearer" });
    case "/api/v3/user": {
      const { id, login } = personOf(request);
      return json({ id, login, name: null, email: null });
    }
    case "/api/v3/user/emails":
      return json(personOf(request).emails);
    default:
      return [404, "text/plain", "not here"];
  }
}

function personOf(request) {
  const [, token = ""] = /^(?:bearer|token) (.+)$/i.exec(request.headers.authorization ?? "") ?? [];
  return JSON.parse(Buffer.from(token, "base64url").toString("utf8"));
}

async function readBody(request) {
  let text = "";
  for await (const piece of request) {
    text += piece;
  }
  return new URLSearchParams(text);
}

const json = (value) => [200, "application/json", JSON.stringify(value)];

function consentPage(query) {
  const kept = ["redirect_uri", "state"]
    .map((name) => `<input type="hidden" name="${name}" value="${query.get(name)}">`)
    .join("");
  return `<!doctype html><title>Scripted GitHub</title><form action="/login/oauth/consent">${kept}
    <label>Email <input name="email"></label>
    <label><input type="checkbox" name="verified" checked> Verified</label>
    <button name="answer" value="yes">Authorize</button>
    <button name="answer" value="no">Cancel</button></form>`;
}

function redirectBack(query) {
  const back = new URL(query.get("redirect_uri"));
  back.searchParams.set("state", query.get("state"));
  if (query.get("answer") === "yes") {
    const email = query.get("email");
    const person = {
      // The same person each time, as long as the e-mail is the same.
      id: [...email].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_000_007, 7),
      login: email.split("@")[0],
      emails: [{ email, primary: true, verified: query.has("verified") }],
    };
    const code = Buffer.from(JSON.stringify(person)).toString("base64url");
    back.searchParams.set("code", code);
  } else {
    back.searchParams.set("error", "access_denied");
  }
  return [302, "text/plain", "", { location: back.href }];
}
