#!/bin/sh
# What greed serve can be asked for with curl.
#
#     sh curl.sh http://127.0.0.1:8080 demo "CC(=O)Oc1ccccc1C(=O)O"
set -eu
[ $# -eq 3 ] || { sed -n "2,4s/^# *//p" "$0" >&2; exit 2; }
url=$1/v1/collections/$2 smiles=$3
ask() { curl --silent --show-error --fail-with-body "$@"; echo; }

# The nearest five, as a table. Predictions alone: no solver, no waiting.
ask --get "$url/search" --data-urlencode "smiles=$smiles" --data k=5 --data mode=predicted --header 'Accept: text/csv'

# The nearest two, proven, with the edits.
ask "$url/search" --header 'Content-Type: application/json' \
    --data "{\"query\": {\"smiles\": \"$smiles\"}, \"k\": 2, \"explain\": true}"

# How far two graphs are from each other.
ask "$1/v1/distance" --header 'Content-Type: application/json' \
    --data "{\"query\": {\"smiles\": \"$smiles\"}, \"target\": {\"smiles\": \"CCO\"}}"
