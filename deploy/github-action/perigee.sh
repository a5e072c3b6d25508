#!/usr/bin/env bash
# The step of action.yml, which sets its variables. The output also goes to the summary of the job.
set -euo pipefail

case $COMMAND in
  validate | plan | apply | check) ;;
  *)
    echo "::error::command: Must be validate, plan, apply or check."
    exit 2
    ;;
esac
arguments=("$COMMAND" --file "$FILES")
if [ "$COMMAND" = check ] && [ -n "$JUNIT" ]; then
  arguments+=(--junit "$JUNIT")
fi
# An empty address or token would be a wrong one.
[ -n "$PERIGEE_URL" ] || unset PERIGEE_URL
[ -n "$PERIGEE_TOKEN" ] || unset PERIGEE_TOKEN

output=$(mktemp)
trap 'rm -f "$output"' EXIT
code=0
npx --yes "$PACKAGE" "${arguments[@]}" 2>&1 | tee "$output" || code=$?
# Indented, it is shown as it is, whatever the names of monitors look like.
{
  echo "**perigee $COMMAND**"
  echo
  sed 's/^/    /' "$output"
} >> "$GITHUB_STEP_SUMMARY"

if [ "$COMMAND" = plan ]; then
  if [ "$code" = 2 ]; then
    echo 'drift=true' >> "$GITHUB_OUTPUT"
    [ "$FAIL_ON_DRIFT" = true ] || exit 0
  elif [ "$code" = 0 ]; then
    echo 'drift=false' >> "$GITHUB_OUTPUT"
  fi
fi
exit "$code"
