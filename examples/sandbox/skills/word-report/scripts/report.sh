#!/bin/sh
cd "$WORKSPACE_DIR"
for file in *.md; do
  echo "$file: $(wc -w <"$file") words"
done
