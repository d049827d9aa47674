import { toast } from "@/components/ui/toast";

/** Whose conversation of the playground it is, and the model that a first one asks. */
export interface Conversation {
  member: string;
  model: string;
}

/** Clears the conversation of the playground, as its own button does. */
export async function beginConversation({ member, model }: Conversation): Promise<void> {
  const { storeOf } = await import("@/components/playground/use-playground");
  const store = storeOf(member, model);
  if (store && store.read().turns.length > 0) {
    const undo = store.clear();
    toast.message("Conversation cleared.", { action: { label: "Undo", onClick: undo } });
  }
}
