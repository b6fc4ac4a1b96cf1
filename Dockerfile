# The sandbox server in a container. `docker compose up` builds and runs it; docs/docker.md says more.
ARG PYTHON_IMAGE=python:3.12.11-slim-bookworm@sha256:519591d6871b7bc437060736b9f7456b8731f1499a57e22e6c285135ae657bf7

FROM ${PYTHON_IMAGE} AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
WORKDIR /src
RUN python -m venv /opt/toolgym
# what the package needs, in a layer of its own: an edit of a source installs the package alone
COPY pyproject.toml constraints.txt ./
RUN python -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['dependencies'], sep='\n')" > needs.txt && \
    /opt/toolgym/bin/python -m pip install --quiet --constraint constraints.txt --requirement needs.txt
COPY README.md LICENSE ./
# toolgym/sandbox and its like are links to these folders
COPY src src
COPY sandbox sandbox
COPY domains domains
COPY judge judge
COPY training training
COPY toolgym toolgym
RUN /opt/toolgym/bin/python -m pip install --quiet --no-deps .

FROM ${PYTHON_IMAGE}
# the base image has no compiled standard library, and the server may write none: it would compile it at every start
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin toolgym && \
    install --directory --mode=700 --owner=10001 --group=10001 /data && \
    python -m compileall -q -x '/(test|idlelib|lib2to3|ensurepip|site-packages)/' "$(python -c 'import os; print(os.path.dirname(os.__file__))')"
COPY --from=build /opt/toolgym /opt/toolgym
ENV PATH=/opt/toolgym/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    TOOLGYM_HOST=0.0.0.0 \
    TOOLGYM_DATA_DIR=/data
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8000
# a socket and nothing else: a fifth of a second of processor less than an HTTP client each time
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-I", "-S", "-c", "import os, socket; s = socket.create_connection(('127.0.0.1', int(os.environ.get('TOOLGYM_PORT') or 8000)), 3); s.sendall(b'GET /readyz HTTP/1.0\\r\\n\\r\\n'); raise SystemExit(b' 200 ' not in s.recv(64))"]
ENTRYPOINT ["toolgym"]
CMD ["serve"]
