#!/bin/sh
# Commands work on the installation of the service, as its user: what root would write there, the service could not read.
: "${PERIGEE_DATA_DIR:=/var/lib/perigee}"
export PERIGEE_DATA_DIR
if [ "$(id -u)" = 0 ]; then
  exec setpriv --reuid=perigee --regid=perigee --init-groups /usr/lib/perigee/perigee "$@"
fi
exec /usr/lib/perigee/perigee "$@"
