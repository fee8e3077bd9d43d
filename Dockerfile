# syntax=docker/dockerfile:1
# The image: the program, the libraries that it needs, CA roots and zones. No shell, no package manager, one user.
#
#   docker build --tag syncctl .
#   docker run --rm syncctl --version
#
# Its file system is made by scripts/container-root, which scripts/check/container runs without a container engine.

ARG SWIFT_IMAGE=swift:6.3-bookworm

FROM ${SWIFT_IMAGE} AS build
SHELL ["/bin/bash", "-euo", "pipefail", "-c"]

# What linking needs besides the toolchain, and what the image takes from here: the CA roots and the zones.
# hadolint ignore=DL3008
RUN apt-get update -q \
  && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
    ca-certificates git libpq-dev libssl-dev pkg-config tzdata zlib1g-dev \
  && rm -rf /var/lib/apt/lists/*

# See scripts/build.
ENV SWIFT_DETERMINISTIC_HASHING=1
WORKDIR /src

# The packages are fetched again only when the manifest changes, and build products stay between builds, so that a
# change costs as much as outside of a container.
COPY Package.swift ./
RUN --mount=type=cache,target=/build,sharing=locked swift package resolve --scratch-path /build

# SwiftPM requires the folders of all targets in the manifest, those of the tests too.
COPY LICENSE ./
COPY Benchmarks/Scan Benchmarks/Scan
COPY Plugins Plugins
COPY Sources Sources
COPY Tools Tools
COPY Tests Tests
COPY scripts/build scripts/container-root scripts/copy-licences scripts/elapsed-time scripts/
COPY sql sql
COPY web web
RUN --mount=type=cache,target=/build,sharing=locked \
  SYNCCTL_RELEASE_DIR=/build scripts/build release \
  && scripts/container-root /build/release/syncctl /image

FROM scratch
COPY --from=build /image /

ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="syncctl" \
  org.opencontainers.image.description="Keeps a faithful copy of public JSON APIs in your own PostgreSQL" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"

ENV PATH=/usr/local/bin
USER 65532:65532
# Where ./syncctl.yaml is read if it is mounted; SYNCCTL_CONFIG would insist on it.
WORKDIR /etc/syncctl
# /metrics, /healthz and /readyz, if enabled by --listen.
EXPOSE 9464
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/local/bin/syncctl"]
CMD ["worker"]
