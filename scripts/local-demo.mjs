/** With one of these the operator may pay someone, and simulated funds must not pay for it. */
const UPSTREAMS = [
  ...["OPENAI_API_KEY", "MODELS", "RERANK_URL", "VERIFY_URL"],
  ...["EMBEDDING_MODEL", "EMBEDDING_BASE_URL", "EMBEDDING_API_KEY"],
];
/** Payments are decided already, or other processes share the database. */
const CONFIGURED = ["PAYMENTS", "STRIPE_SECRET_KEY", "DATABASE_URL"];

/**
 * What `npm start` adds to the environment. A demo for one's own machine has open sign-up and, while nothing costs money,
 * simulated payments, so only this machine can reach it unless HOST says otherwise.
 */
export function demoDefaults(env, { isDemo, url }) {
  const isLocal = isDemo && ["localhost", "127.0.0.1", "[::1]"].includes(new URL(url).hostname);
  const isSet = (name) =>
    env[name] && !(name === "EMBEDDING_MODEL" && /^local(?::|$)/.test(env[name]));
  const simulatesPayments = isLocal && ![...UPSTREAMS, ...CONFIGURED].some(isSet);
  return {
    HOST: env.HOST ?? (isLocal ? "127.0.0.1" : ""),
    ...(simulatesPayments && { PAYMENTS: "simulated" }),
  };
}
