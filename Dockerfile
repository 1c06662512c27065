# The gateway over PostgreSQL, without Cloudflare: docs/workerd.md.
# The versions are those of package.json and rust-toolchain.toml. Whoever must know every byte appends the digest to each FROM.

FROM node:24.21.0-trixie-slim AS node

# What the scripts that serve import.
FROM node AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY tests/package.json tests/
COPY wasm/package.json wasm/
RUN npm ci --omit=dev

# The Worker and the page.
FROM rust:1.95.0-trixie AS build
COPY --from=node /usr/local/bin/node /usr/local/bin/
COPY --from=node /usr/local/lib/node_modules /usr/local/lib/node_modules
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \
  && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx
WORKDIR /build
COPY . .
RUN make worker

FROM node
# workerd trusts the certificates of the system when it asks witnesses.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/* \
  && groupadd --gid 10001 epcis \
  && useradd --no-log-init --uid 10001 --gid epcis --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin epcis \
  && install --directory --owner=epcis --group=epcis --mode=0700 /var/lib/epcis-edge
ENV NODE_ENV=production
WORKDIR /app
COPY --from=packages /app ./
COPY scripts/*.mjs scripts/
COPY worker/wrangler.toml worker/
COPY worker/postgres worker/postgres
COPY --from=build /build/worker/build worker/build
COPY --from=build /build/www/dist www/dist
# By number, so that Kubernetes can tell that it is not root. It owns nothing below /app.
USER 10001:10001
# The key of the log, and the documents as received.
VOLUME /var/lib/epcis-edge
EXPOSE 8787
HEALTHCHECK --interval=30s --timeout=10s --start-period=120s CMD ["node", "scripts/healthy.mjs"]
# The address of the database comes from DATABASE_URL when the container starts; more options come behind the name of the image.
ENTRYPOINT ["node", "scripts/serve-postgres.mjs", "--host", "0.0.0.0", "--state", "/var/lib/epcis-edge"]
