# The sandbox server in a container. `docker compose up` builds and runs it; docs/docker.md says more.
ARG PYTHON_IMAGE=python:3.12.11-slim-bookworm@sha256:519591d6871b7bc437060736b9f7456b8731f1499a57e22e6c285135ae657bf7

FROM ${PYTHON_IMAGE} AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
WORKDIR /src
RUN python -m venv /opt/toolgym
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY sandbox sandbox
COPY domains domains
COPY judge judge
COPY training training
COPY toolgym toolgym
RUN /opt/toolgym/bin/python -m pip install --quiet --constraint constraints.txt .

FROM ${PYTHON_IMAGE}
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin toolgym && install --directory --owner=10001 --group=10001 /data
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
HEALTHCHECK --interval=10s --timeout=5s --start-period=15s --retries=3 \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/readyz', timeout=3)"]
ENTRYPOINT ["toolgym"]
CMD ["serve"]
