# Build the bundle first: npm ci && npm run build && docker build -t hnotif:0.1.0 .
FROM node:24-slim
COPY packages/hnotif/dist /app
# `hnotif dev` with its control plane and simulators stays in the checkout.
RUN rm -f /app/dev.mjs /app/dev.mjs.map
USER 65532:65532
EXPOSE 8080 8081
ENTRYPOINT ["node", "--enable-source-maps", "/app/hnotif.mjs"]
CMD ["run"]
