# Curt's server. docs/operating.md, "Docker", says how to run it.

# The package that `npm run release` makes. It is the same for every system.
FROM node:26-slim AS package
WORKDIR /opt/curt
COPY . .
RUN npm ci
RUN npm run release -- --server

# Installed for the system that runs it, as the package's npm-shrinkwrap.json says.
FROM node:26-slim AS installed
WORKDIR /opt/curt
COPY --from=package /opt/curt/dist/release release
RUN tar -xzf release/*.tgz --strip-components=1
RUN rm -r release
RUN npm ci

FROM node:26-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=2878 STORE_URL=file:///data
WORKDIR /opt/curt
COPY --from=installed /opt/curt .
# Without VOLUME, which would create a volume that a new container does not find again.
RUN install --directory --owner=node --group=node --mode=0700 /data
USER node
EXPOSE 2878
# PORT can be empty, or have quotes and white space around it, which the server removes.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${/[0-9]+/.exec(process.env.PORT) ?? 2878}/api/health`).then(({ ok }) => process.exit(ok ? 0 : 1))"]
CMD ["node", "server/start.js"]
