import { encode } from "next-auth/jwt";
import { createSession } from "@/lib/platform/auth/write/session";

export async function makeSession(
  memberId: string,
  userAgent: string | null = null,
): Promise<string> {
  const id = await createSession({ id: memberId }, userAgent);
  if (!id) {
    throw new Error("there is no such member");
  }
  return id;
}

/** The headers of a member who has just signed in. */
export async function signedIn(
  memberId: string,
  headers: Record<string, string> = {},
): Promise<Record<string, string>> {
  const sid = await makeSession(memberId, headers["user-agent"]);
  const token = await encode({
    token: { sub: memberId, sid },
    secret: "a-secret-for-tests-alone-0123456789",
  });
  return {
    cookie: `next-auth.session-token=${token}`,
    origin: "http://localhost:3000",
    host: "localhost:3000",
    ...headers,
  };
}
