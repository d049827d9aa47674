import { describe, expect, it } from "vitest";
import { dispatch } from "@/lib/testing/api";

const PIECE = new Uint8Array(16 * 1024).fill(97);

/** A body of `pieces` times 16 kB without a stated length, and how many of them were read. */
function bodyOf(pieces: number) {
  let read = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (read === pieces) {
          controller.close();
          return;
        }
        read += 1;
        controller.enqueue(PIECE);
      },
    },
    { highWaterMark: 0 },
  );
  return { body, read: () => read };
}

describe("a body for next-auth", () => {
  it.each(["application/json", "application/x-www-form-urlencoded"])(
    "of more than 64 kB as %s is rejected before the rest is read",
    async (type) => {
      const { body, read } = bodyOf(1000);
      const response = await dispatch("http://localhost:3000/api/auth/callback/credentials", {
        method: "POST",
        headers: { "content-type": type },
        body,
      });
      expect(response.status).toBe(413);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect((await response.json()).error.code).toBe("payload_too_large");
      expect(read()).toBeLessThan(20);
    },
  );
});
