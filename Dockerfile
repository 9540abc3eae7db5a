# docker build -t hnotif:0.1.0 .
# It needs a checkout and the npm registry, nothing else. Another base image: --build-arg NODE_IMAGE=...
ARG NODE_IMAGE=docker.io/library/node:26.10.0-slim@sha256:930557a230abacbc3f4fd9b8648abf8f4bee1e17cb72195dcdfb2f709bc85b33

# The bundle is JavaScript alone and the same for each architecture, so it is made on the architecture of the builder.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
WORKDIR /src
COPY . .
RUN ["npm", "ci", "--ignore-scripts"]
RUN ["npm", "run", "build", "--", "--without-dev", "--sbom"]

FROM ${NODE_IMAGE}
ARG REVISION=unknown
LABEL org.opencontainers.image.title="hnotif" \
      org.opencontainers.image.description="Notifications for hibernation plans: teamchat, botchat and webhooks, from Kubernetes" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.source="https://github.com/hnotif/hnotif" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /src/LICENSE /src/packages/hnotif/dist /app/
USER 65532:65532
EXPOSE 8080 8081
# Garbage collection is the largest part of the CPU of a message. Below 96 MB of old space no full collection runs, which saves a quarter
# of the CPU of a message. Above it, a collection runs when the heap has grown by 40 %; Node's own limit is four times the
# live size, too much for 10,000 plans. A larger young generation than 8 MB takes memory and is no faster. Stack traces name the
# bundle's functions and lines; with NODE_OPTIONS=--enable-source-maps those of the sources, for some 30 MB.
# Threads of libuv: half of them look names up, so that a few names whose DNS is silent leave others. Node reads it at its start alone.
ENV UV_THREADPOOL_SIZE=64
ENTRYPOINT ["node", "--initial-old-space-size=96", "--max-semi-space-size=8", "--heap-growing-percent=40", "/app/hnotif.mjs"]
CMD ["run"]
