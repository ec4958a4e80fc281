# Kumoi as an image: docs/operating.md, "Container".
FROM node:24-slim AS build
WORKDIR /src
COPY . .
RUN npm ci && mkdir /packages && npm pack -w kumoi -w @kumoi/client --pack-destination /packages

FROM node:24-slim
# The server is in the packages whole: nothing is fetched here.
RUN --mount=type=bind,from=build,source=/packages,target=/packages \
  npm install --prefix /opt/kumoi --offline --no-audit --no-fund --no-update-notifier /packages/*.tgz
COPY deploy/health.mjs /opt/kumoi/health.mjs
RUN install -d -o node -g node -m 0700 /data
ENV PATH=/opt/kumoi/node_modules/.bin:$PATH KUMOI_DATA=/data KUMOI_HOST=0.0.0.0
# The server writes below /data alone, starts no programs and loads no native code (SECURITY.md).
ENV KUMOI_NODE_OPTIONS="--permission --allow-fs-read=* --allow-fs-write=/data --allow-worker --disable-warning=PERM0006"
USER node
WORKDIR /data
VOLUME /data
EXPOSE 8443
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "/opt/kumoi/health.mjs"]
ENTRYPOINT ["kumoi"]
CMD ["serve"]
