# syntax=docker/dockerfile:1
# For x64 and arm64: docker buildx build --platform linux/amd64,linux/arm64 --tag latchkey .
ARG NODE_VERSION=22

# What is built is JavaScript, the same for every machine, so it is built on the one at hand.
FROM --platform=$BUILDPLATFORM node:${NODE_VERSION}-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/client/package.json packages/client/
COPY packages/ui/package.json packages/ui/
COPY packages/server/package.json packages/server/
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY scripts scripts
COPY packages packages
RUN npm run build

# Native parts come as packages for the machine that the image is for: nothing is compiled.
FROM node:${NODE_VERSION}-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/client/package.json packages/client/
COPY packages/ui/package.json packages/ui/
COPY packages/server/package.json packages/server/
# The command is linked only if it is there.
COPY packages/server/bin packages/server/bin
# Without --legacy-peer-deps, npm keeps Vitest, an optional peer for tests.
RUN npm ci --omit=dev --ignore-scripts --legacy-peer-deps

FROM node:${NODE_VERSION}-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8000 \
    DATABASE_URL=sqlite:/data/latchkey.db \
    PATH=/app/node_modules/.bin:$PATH
RUN apt-get update \
  && apt-get install --yes --no-install-recommends tini \
  && rm -rf /var/lib/apt/lists/* \
  && install --directory --owner=node --group=node --mode=700 /data
WORKDIR /app
COPY --from=dependencies /app ./
COPY --from=build /app/packages/server/dist packages/server/dist
COPY --from=build /app/packages/server/words packages/server/words
COPY packages/server/build/fill-code-cache.js packages/server/build/
RUN node packages/server/build/fill-code-cache.js
# Nothing in the image can be changed by the service; it writes to /data only.
USER node
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# No shell in between: the signal to stop reaches the service, which finishes what is under way. The
# kernel drops a signal that process 1 does not handle yet, as at its start, so tini is process 1.
STOPSIGNAL SIGTERM
ENTRYPOINT ["tini", "--", "latchkey"]
CMD ["serve"]
