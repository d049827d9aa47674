# syntax=docker/dockerfile:1

FROM node:24-bookworm-slim AS build
ENV NEXT_TELEMETRY_DISABLED=1
WORKDIR /app
# Packages first: this layer is rebuilt only when the lockfile changes.
COPY package.json package-lock.json ./
COPY scripts/install.mjs scripts/
RUN --mount=type=cache,target=/root/.npm node scripts/install.mjs
COPY . .
RUN npm run generate && npm run build && rm -rf .next/cache
RUN npm prune --omit=dev --no-audit --no-fund && node scripts/prune-image.mjs

FROM node:24-bookworm-slim
ENV NODE_ENV=production \
    NEXT_TELEMETRY_DISABLED=1 \
    PORT=3000 \
    DATA_DIR=/app/.data
WORKDIR /app
COPY --from=build /app ./
# The server writes its data and revalidated pages.
RUN mkdir -p .data .next/cache && chown -R node:node .data .next
USER node
VOLUME /app/.data
EXPOSE 3000
STOPSIGNAL SIGTERM
# The first start loads the public sample and takes longer than later ones.
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health`, { signal: AbortSignal.timeout(4000) }).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "scripts/start.mjs", "--no-install", "--no-build", "--no-demo"]
