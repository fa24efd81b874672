# An image whose verifier grades without a network and installs nothing: Deno, and the bundle beside
# it. Build it in the folder of the project:
#
#   docker build --file docker/verifier.Dockerfile --tag rewardkit .
#
# A task's own verifier starts FROM it and adds what its criteria run (python3, git, …).
ARG DENO_VERSION=2.9.6

FROM denoland/deno:bin-${DENO_VERSION} AS deno

FROM debian:bookworm-slim AS base
COPY --from=deno /deno /usr/local/bin/deno

FROM base AS bundle
WORKDIR /source
COPY . .
RUN deno task bundle /opt/rewardkit

FROM base
# For check files of strangers (--untrusted).
RUN apt-get update \
  && apt-get install --yes --no-install-recommends bubblewrap \
  && rm -rf /var/lib/apt/lists/*
COPY --from=bundle /opt/rewardkit /opt/rewardkit
RUN ln -s /opt/rewardkit/rewardkit /usr/local/bin/rewardkit
# Any user can grade (docker run --user): nothing of the image has to be written to.
WORKDIR /app
CMD ["rewardkit", "/tests"]
