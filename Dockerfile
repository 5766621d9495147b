# The image of one invocation: all roles by default, SERVICE_ROLES chooses fewer.
FROM node:22.23.2-bookworm-slim AS build
WORKDIR /app
# The installation builds the console, so the sources have to be there.
COPY package.json package-lock.json .npmrc tsconfig.json tsconfig.build.json ./
COPY scripts/build-console.ts ./scripts/build-console.ts
COPY console ./console
COPY src ./src
RUN npm ci && npm run build && npm prune --omit=dev

FROM node:22.23.2-bookworm-slim
ENV NODE_ENV=production \
    SERVICE_SERVER_HOST=0.0.0.0 \
    SERVICE_DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/console/dist ./console/dist
COPY package.json LICENSE ./
RUN install -d -o node -g node -m 0700 /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.SERVICE_SERVER_PORT ?? 3000}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The supervisor is process 1: it handles SIGTERM, and stops every role in order.
CMD ["node", "dist/bin/millrace.js", "start"]
