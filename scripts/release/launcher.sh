#!/bin/sh
# Starts Perigee with the Node beside this file. A link to this file may lie in any folder of the search path.
self=$0
while [ -h "$self" ]; do
  target=$(readlink "$self")
  case $target in
    /*) self=$target ;;
    *) self=${self%/*}/$target ;;
  esac
done
case $self in
  */*) here=$(cd "${self%/*}" && pwd -P) || exit 1 ;;
  *) here=. ;;
esac
exec "$here/bin/node" --max-semi-space-size=16 "$here/app/bin/perigee.js" "$@"
