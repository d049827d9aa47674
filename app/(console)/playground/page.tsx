import type { Metadata } from "next";
import { PlaygroundView } from "@/components/playground/playground-view";
import { requireMember } from "@/lib/auth/page-gate";
import { listModels } from "@/lib/models/catalogue";

export const metadata: Metadata = { title: "Playground" };

export default async function PlaygroundPage() {
  const ctx = await requireMember("/playground");
  const models = listModels().map(({ id, isDefault }) => ({ id, isDefault }));
  return <PlaygroundView member={ctx.actor.id} models={models} />;
}
