import type { DemoReply } from "@/lib/answers/demo/schema";
import example from "./example.json" with { type: "json" };

/** The demo's answer to its scripted question, as the product gives it. A test compares the two. */
export const EXAMPLE = example as DemoReply;
