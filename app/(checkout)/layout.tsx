import type { ReactNode } from "react";
import { ConsoleProviders } from "@/components/shell/console-providers";

export default function CheckoutLayout({ children }: { children: ReactNode }) {
  return <ConsoleProviders>{children}</ConsoleProviders>;
}
