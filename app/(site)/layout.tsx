import { SiteFrame } from "@/components/shell/site-frame";

export default SiteFrame;
