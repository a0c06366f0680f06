#!/bin/sh
# Makes the package `api` from the OpenAPI document. Needs a JDK, and Python to get the generator from PyPI.
set -eu
cd "$(dirname "$0")"
jar="${OPENAPI_GENERATOR_JAR:-}"
if [ -z "$jar" ]; then
  python3 -m venv .generator
  .generator/bin/pip install --quiet openapi-generator-cli==7.26.0
  jar="$(echo .generator/lib/python*/site-packages/openapi_generator_cli/openapi-generator.jar)"
fi
rm -rf api
java -Dlog.level=warn -jar "$jar" generate -i ../src/generated/api/openapi.json -g go -o api \
  --additional-properties=packageName=api,withGoMod=false \
  --global-property=apis,models,supportingFiles,apiDocs=false,modelDocs=false,apiTests=false,modelTests=false
