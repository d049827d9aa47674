# syntax=docker/dockerfile:1

ARG NODE_IMAGE=node:24-bookworm-slim
ARG RUNTIME_IMAGE=debian:bookworm-slim

FROM ${NODE_IMAGE} AS build
ENV NEXT_TELEMETRY_DISABLED=1
# Node without the symbols that only a native debugger reads.
RUN apt-get update --quiet && apt-get install --quiet --yes --no-install-recommends binutils \
  && strip --output-file=/node "$(command -v node)"
WORKDIR /app
# Packages first: this layer is rebuilt only when the lockfile changes.
COPY package.json package-lock.json ./
COPY scripts/install.mjs scripts/
RUN --mount=type=cache,target=/root/.npm node scripts/install.mjs
COPY . .
# The repository isn't in the image: --build-arg FOOTNOTE_COMMIT=$(git rev-parse --short=8 HEAD)
ARG FOOTNOTE_COMMIT=""
RUN npm run generate && npm run build && node scripts/image.mjs /image

FROM ${RUNTIME_IMAGE}
ENV NODE_ENV=production \
    NEXT_TELEMETRY_DISABLED=1 \
    PORT=3000 \
    DATA_DIR=/app/.data
# The folders that the server writes: its data, and Next's cache.
RUN groupadd --gid 1000 node && useradd --uid 1000 --gid node --create-home node \
  && install --directory --owner=node --group=node /app /app/.data /app/.next /app/.next/cache
WORKDIR /app
COPY --from=build /node /usr/local/bin/node
COPY --from=build /image ./
COPY deploy/image/footnote /usr/local/bin/
USER node
VOLUME /app/.data
EXPOSE 3000
STOPSIGNAL SIGTERM
# The first start loads the public sample and takes longer than later ones.
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health`, { signal: AbortSignal.timeout(4000) }).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["footnote"]
CMD ["server"]
