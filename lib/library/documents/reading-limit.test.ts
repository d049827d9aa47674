import { describe, expect, it } from "vitest";
import { GET } from "@/app/(site)/sources/[id]/card.png/route";
import { cardReader, sourceReader } from "./reading-limit";

describe("previews of quotes", () => {
  it("are drawn at most 60 times a minute, while their pages still open", async () => {
    const request = new Request("http://localhost/sources/doc_none/card.png");
    const entry = { requestId: "req_cards", signal: AbortSignal.timeout(60_000) };
    for (let drawn = 0; drawn < 60; drawn += 1) {
      await cardReader(request, entry);
    }
    await expect(cardReader(request, entry)).rejects.toMatchObject({ code: "rate_limit_exceeded" });
    await expect(sourceReader(request, entry)).resolves.toMatchObject({ ctx: undefined });
    const { status } = await GET(request, { params: Promise.resolve({ id: "doc_none" }) });
    expect(status).toBe(429);
  });
});
