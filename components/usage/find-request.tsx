"use client";

import { useRouter } from "next/navigation";
import type { SubmitEvent } from "react";
import { Input } from "@/components/ui/input";

/** Opens a request by its id, such as the `x-request-id` of a response. */
export function FindRequest() {
  const router = useRouter();
  const open = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const id = String(new FormData(event.currentTarget).get("id") ?? "").trim();
    if (id) {
      router.push(`/usage/${encodeURIComponent(id)}`);
    }
  };
  return (
    <search>
      <form onSubmit={open}>
        <Input
          name="id"
          type="search"
          aria-label="Find a request by its ID"
          placeholder="Request ID, then Enter"
          autoComplete="off"
          spellCheck={false}
          className="w-52 sm:h-8"
        />
      </form>
    </search>
  );
}
