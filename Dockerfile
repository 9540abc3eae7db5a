# Build the bundle first: npm ci && npm run build && docker build -t hnotif:0.1.0 .
FROM node:24-slim
COPY packages/hnotif/dist /app
# `hnotif dev` with its control plane and simulators stays in the checkout.
RUN rm -f /app/dev.mjs /app/dev.mjs.map
USER 65532:65532
EXPOSE 8080 8081
# With 10,000 plans Node's own size of the young generation takes 20 to 70 MB more, and is no faster. Without a limit the heap grows to
# four times of what is in use before garbage is collected; so it is collected when the heap has doubled. Stack traces name the
# bundle's functions and lines; with NODE_OPTIONS=--enable-source-maps those of the sources, for some 30 MB.
# Threads of libuv: half of them look names up, so that a few names whose DNS is silent leave others. Node reads it at its start alone.
ENV UV_THREADPOOL_SIZE=64
ENTRYPOINT ["node", "--max-semi-space-size=4", "--heap-growing-percent=100", "/app/hnotif.mjs"]
CMD ["run"]
