"""Prints what is wrong with the JSON document on standard input by the schema that is named; nothing: it is valid.

A program of its own, so that it runs under Debian's interpreter, which has jsonschema, whatever runs the tests.
"""

import json
import sys

import jsonschema

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
checker = jsonschema.validators.validator_for(schema)
for error in checker(schema, format_checker=jsonschema.FormatChecker()).iter_errors(json.load(sys.stdin)):
    print("/".join(map(str, error.absolute_path)), error.message[:300])
