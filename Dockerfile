# The image: the program, the libraries it needs, certificates. No shell. docs/operations/image.md
#
#   docker build --tag gateway:local .
#
# SWIFT and DEBIAN must be the same release of Debian: the program is linked with its libraries.
ARG SWIFT=6.2-bookworm
ARG DEBIAN=bookworm-slim

FROM swift:${SWIFT} AS build
# Versions are those of the release that SWIFT names.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libcurl4-openssl-dev libhiredis-dev libpq-dev libqrencode-dev libsqlite3-dev libssl-dev libyaml-dev pkg-config \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
# Dependencies change less often than sources: a layer of their own. Package.resolved comes along where there is one.
COPY Package.* ./
RUN swift package resolve
COPY Sources Sources
COPY Tests Tests
COPY packaging/build-release packaging/hot-branches packaging/hot-functions packaging/strip packaging/
RUN packaging/build-release \
    && packaging/strip .build/release/gateway /gateway

FROM debian:${DEBIAN} AS rootfs
ARG SOURCE_DATE_EPOCH=0
COPY packaging/rootfs /usr/local/bin/rootfs
COPY --from=build /gateway /gateway
RUN apt-get update && SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH}" rootfs /gateway /rootfs && rm -rf /var/lib/apt/lists/*

FROM scratch
LABEL org.opencontainers.image.title="gateway" \
    org.opencontainers.image.description="Sign-in in front of your app, from one YAML file" \
    org.opencontainers.image.licenses="Apache-2.0"
COPY --from=rootfs /rootfs /
USER 65532:65532
EXPOSE 4180 9180
# SIGTERM drains.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=6s --start-period=5s CMD ["/usr/bin/gateway", "healthcheck"]
ENTRYPOINT ["/usr/bin/gateway"]
CMD ["run", "/etc/gateway/gateway.yaml"]
