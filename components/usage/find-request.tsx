"use client";

import { Search } from "lucide-react";
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
      <form onSubmit={open} className="relative">
        <Search
          aria-hidden
          className="pointer-events-none absolute inset-y-0 left-2.5 my-auto size-4 text-muted"
        />
        <Input
          name="id"
          type="search"
          aria-label="Find by request ID"
          placeholder="Find by request ID"
          autoComplete="off"
          spellCheck={false}
          className="w-48 pl-8 sm:h-8"
        />
      </form>
    </search>
  );
}
