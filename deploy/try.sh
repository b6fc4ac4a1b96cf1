#!/usr/bin/env bash
# Builds the image, starts the compose file's sandbox and replicas, drives, kills and scales them, and takes all down again.
#
#   deploy/try.sh                                   with docker compose, or podman compose where there is no docker
#   ENGINE=podman deploy/try.sh                     with a given engine
#   PYTHON_IMAGE=my-python:3.12 deploy/try.sh       on another base image
#
# It uses a project name, a volume and ports of its own (TRY_PORT, TRY_PROXY_PORT), so a running toolgym is not touched.
# Nothing but the engine, bash and curl is needed. At the end it says which base images were made by hand.
set -euo pipefail

PORT="${TRY_PORT:-18000}"
PROXY_PORT="${TRY_PROXY_PORT:-18080}"
WAIT_SECONDS="${TRY_WAIT_SECONDS:-180}"
SEAT='{"ticket_id": "T102", "holder": "Greta Olsen"}'

say() { printf '%s  %s\n' "$(date +%T)" "$*"; }
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }

# --- the server, through its documented interface ---

ask() { # METHOD URL [BODY]; what a server or proxy that is away for a moment says is asked again
  curl --silent --show-error --fail-with-body --max-time 30 --retry 30 --retry-delay 1 --retry-all-errors \
    --request "$1" "$2" ${3:+--data "$3"} ${KEY:+--header "Idempotency-Key: $KEY"}
}

wait_until_ready() { # URL
  local end=$((SECONDS + WAIT_SECONDS))
  until curl --silent --fail --max-time 5 --output /dev/null "$1/readyz"; do
    [ "$SECONDS" -lt "$end" ] || fail "$1/readyz is not 200 after $WAIT_SECONDS s"
    sleep 1
  done
}

open_session() { # URL; prints the session's id
  ask POST "$1/sessions" '{"domain": "kiosk", "seed": 1}' | sed 's/.*"id":"\([^"]*\)".*/\1/'
}

reserve() { # URL ID; the same key each time, so it is done once
  KEY=a-seat-for-greta ask POST "$1/sessions/$2/kiosk/reserve_ticket" "$SEAT" | grep --quiet '"ok": true' ||
    fail "the seat could not be reserved"
}

require_reserved() { # URL ID; one call in the log, whatever was killed since
  local log
  log="$(ask GET "$1/sessions/$2/log")"
  [ "$(grep -o '"name":"reserve_ticket"' <<<"$log" | wc -l)" -eq 1 ] || fail "the log is not what was acknowledged: $log"
}

# --- the engine ---

choose_engine() {
  if [ -z "${ENGINE:-}" ]; then
    if command -v docker >/dev/null; then ENGINE=docker; else ENGINE=podman; fi
  fi
  "$ENGINE" compose version >/dev/null 2>&1 || fail "'$ENGINE compose' does not run; ENGINE=docker or ENGINE=podman chooses one"
}

compose() {
  TOOLGYM_PORT="$PORT" TOOLGYM_PROXY_PORT="$PROXY_PORT" \
    "$ENGINE" compose --env-file /dev/null --project-name toolgym-try --profile replicas "$@"
}

kill_server_in() { # CONTAINER; kill -9, as when memory runs out; the container's init stays and ends with it
  "$ENGINE" exec "$1" python -c '
import os, signal
for name in filter(str.isdigit, os.listdir("/proc")):
    if int(name) not in (1, os.getpid()) and b"serve" in open(f"/proc/{name}/cmdline", "rb").read():
        os.kill(int(name), signal.SIGKILL)
'
}

container_of() { compose ps --quiet "$1" | head -n 1; }

say_base_images() { # an image that was pulled has a digest of its registry's
  local image
  for image in "${PYTHON_IMAGE:-$(sed -n 's/^ARG PYTHON_IMAGE=//p' Dockerfile)}" "$(sed -n 's/.*image: \(haproxy:.*\)/\1/p' docker-compose.yml)"; do
    if "$ENGINE" image inspect --format '{{.RepoDigests}}' "$image" 2>/dev/null | grep --quiet 'sha256:'; then
      say "base image $image: pulled from its registry"
    else
      say "base image $image: MADE BY HAND on this machine (no registry's digest)"
    fi
  done
}

main() {
  cd "$(dirname "${BASH_SOURCE[0]}")/.."
  unset "${!TOOLGYM_@}" # settings of the shell and of .env are not what is tried
  choose_engine
  trap 'compose down --volumes --remove-orphans --timeout 30 >/dev/null 2>&1 || true' EXIT
  local one="http://127.0.0.1:$PORT" many="http://127.0.0.1:$PROXY_PORT" id

  say "building with $ENGINE"
  compose build ${PYTHON_IMAGE:+--build-arg "PYTHON_IMAGE=$PYTHON_IMAGE"} sandbox
  say "starting the sandbox"
  compose up --detach sandbox
  wait_until_ready "$one"
  id="$(open_session "$one")"
  reserve "$one" "$id"
  say "killing the server in its container"
  kill_server_in "$(container_of sandbox)" || true
  sleep 1
  wait_until_ready "$one"
  reserve "$one" "$id"
  require_reserved "$one" "$id"
  say "taking it down and up again"
  compose down --timeout 30
  say "starting replicas and proxy on the same store"
  compose up --detach proxy
  wait_until_ready "$many"
  require_reserved "$many" "$id"
  say "scaling to three, and killing one under a session"
  compose up --detach --no-recreate --scale replica=3 replica
  wait_until_ready "$many"
  id="$(open_session "$many")"
  reserve "$many" "$id"
  "$ENGINE" kill "$(container_of replica)" >/dev/null
  reserve "$many" "$id"
  require_reserved "$many" "$id"
  say "taking all down"
  compose down --volumes --remove-orphans --timeout 30
  trap - EXIT
  say_base_images
  say "all of it held"
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then main "$@"; fi
