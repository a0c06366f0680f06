"""Hooks of Schemathesis: data that exists, and what JSON Schema cannot say of a text that fits its pattern."""
import json
import os
import re

import schemathesis

# Values of the running launchpad, by the name of the parameter or field.
REAL = json.loads(os.environ["REAL_VALUES"])
ADDRESS = re.compile(r"[1-9A-HJ-NP-Za-km-z]{32,88}")


def with_real(values):
    """A text of the right form is replaced by one that exists: most others are not 32 bytes, or no wallet can sign for them."""
    if not isinstance(values, dict):
        return
    for name, value in list(values.items()):
        if name in REAL and isinstance(value, str) and ADDRESS.fullmatch(value):
            values[name] = REAL[name]
        if name == "topic":
            values[name] = ["board"] if isinstance(value, list) and value else value
        # The first parameter is a list of accounts, each at most once.
        if name == "params" and isinstance(value, list) and value and isinstance(value[0], list):
            value[0] = value[0][:1]
        # A cursor is what an earlier answer of the same list gave.
        if name == "cursor" and isinstance(value, str) and re.fullmatch(r"[\w-]+", value):
            del values[name]


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """4.32.5 checks answers with `prefixItems` as `items`, which is not valid in OpenAPI 3.1: here a candle is a list of anything."""
    del raw_schema["components"]["schemas"]["Candles"]["properties"]["candles"]["items"]["prefixItems"]


@schemathesis.hook
def before_call(context, case, kwargs):
    for values in (case.path_parameters, case.query, case.body):
        with_real(values)
