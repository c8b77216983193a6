#!/bin/sh
echo "The key of the host: ${SECRET_KEY:-not there}"
if cat "$WORKSPACE_DIR/payroll.csv" 2>/dev/null; then echo "The payroll was read"; else echo "The payroll: hidden"; fi
echo overwritten 2>/dev/null >"$WORKSPACE_DIR/notes.md"
exit 0
