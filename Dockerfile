# Builds in a full image, and runs in a slim one of the same Debian.
FROM node:24-bookworm AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Not what tests and benchmarks need: that is a workspace of its own (tools/).
RUN npm ci --include=dev --workspaces=false --ignore-scripts --no-audit --no-fund
# All that .dockerignore lets through: what is not built from is still offered at /source.
COPY . .
RUN node scripts/build.mjs \
  && npm prune --omit=dev --workspaces=false --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/.cache

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/scripts/backup.mjs /app/scripts/check-backup.mjs scripts/
RUN install --directory --owner=node --group=node --mode=0700 /data
# For transcription: docker compose build --build-arg SPEECH=yes (docs/operations.md, "Speech").
ARG SPEECH=no
RUN if [ "$SPEECH" = yes ]; then apt-get update \
  && apt-get install -y --no-install-recommends ffmpeg pocketsphinx pocketsphinx-en-us \
  && rm -rf /var/lib/apt/lists/*; fi
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=15s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Not `npm start`: that would look whether anything must be built.
CMD ["node", "--max-semi-space-size=1", "--heap-growing-percent=20", "dist/server/main.js"]
