# Curt's server. docs/operating.md, "Docker", says how to run it.

FROM node:26-slim AS dashboard
WORKDIR /opt/curt
COPY . .
RUN npm ci
RUN npx vite build server/dashboard

FROM node:26-slim AS dependencies
WORKDIR /opt/curt
COPY package.json package-lock.json ./
COPY extension/packaging/prepare-types.js extension/packaging/
RUN npm ci --omit=dev

FROM node:26-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=2878 STORE_URL=file:///data
WORKDIR /opt/curt
COPY --from=dependencies /opt/curt/node_modules node_modules
COPY package.json LICENSE ./
COPY shared shared
COPY server server
COPY --from=dashboard /opt/curt/dist/dashboard dist/dashboard
# Without VOLUME, which would create a volume that a new container does not find again.
RUN install --directory --owner=node --group=node --mode=0700 /data
USER node
EXPOSE 2878
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health`).then(({ ok }) => process.exit(ok ? 0 : 1))"]
CMD ["node", "server/start.js"]
