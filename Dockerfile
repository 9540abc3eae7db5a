# docker build -t hnotif:0.1.0 .
# It needs a checkout and the npm registry, nothing else. Another base image: --build-arg NODE_IMAGE=...
ARG NODE_IMAGE=docker.io/library/node:24.21.0-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20

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
# With 10,000 plans Node's own size of the young generation takes 20 to 70 MB more, and is no faster. Without a limit the heap grows to
# four times of what is in use before garbage is collected; so it is collected when the heap has doubled. Stack traces name the
# bundle's functions and lines; with NODE_OPTIONS=--enable-source-maps those of the sources, for some 30 MB.
# Threads of libuv: half of them look names up, so that a few names whose DNS is silent leave others. Node reads it at its start alone.
ENV UV_THREADPOOL_SIZE=64
ENTRYPOINT ["node", "--max-semi-space-size=4", "--heap-growing-percent=100", "/app/hnotif.mjs"]
CMD ["run"]
