export const BILLING_PAGE = {
  title: "Billing",
  description: "Requests are paid from your prepaid balance.",
};
