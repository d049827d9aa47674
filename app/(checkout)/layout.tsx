import { ConsoleProviders } from "@/components/shell/console-providers";

export default ConsoleProviders;
