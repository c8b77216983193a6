#!/bin/sh
# Prints the heading of a version's entry: heading.sh VERSION [NAME]
set -eu
version=${1:-}
name=${2:-}
if ! printf '%s\n' "$version" | grep -Eqx '[0-9]+\.[0-9]+\.[0-9]+'; then
  echo "heading.sh: \"$version\" is not a version. Give one such as 1.2.0." >&2
  exit 2
fi
case $version in
  *.0.0) kind='a major version' ;;
  *.0) kind='a minor version' ;;
  *) kind='a patch' ;;
esac
printf '## %s%s\n\n<!-- %s -->\n' "$version" "${name:+: $name}" "$kind"
