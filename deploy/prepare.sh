#!/bin/sh
# Makes what compose.yaml needs and what nobody else may read: secrets/ and .env. What exists is kept.
#   PERIGEE_SMTP_URL=smtps://user:password@mail.example.com ./prepare.sh
set -eu
umask 077
cd "$(dirname "$0")"
mkdir -p secrets nats/keys

# Containers run as who owns these files, and never as root.
uid=${SUDO_UID:-$(id -u)}
gid=${SUDO_GID:-$(id -g)}
if [ "$uid" = 0 ]; then
  uid=1000
  gid=1000
fi

# The rest of the line makes the file, unless it is there.
make() {
  file=secrets/$1
  shift
  [ -s "$file" ] || "$@" > "$file"
}

make secret-key openssl rand -base64 32
make postgres-password openssl rand -hex 24
make database-url printf 'postgres://perigee:%s@postgres/perigee\n' "$(cat secrets/postgres-password)"
make metrics-token openssl rand -hex 24
make owner-token printf 'pgk_%s\n' "$(openssl rand -hex 20)"
# Without a mail server of your own no mail leaves; it is tried again for a day.
make smtp-url printf '%s\n' "${PERIGEE_SMTP_URL:-smtp://127.0.0.1:25}"

[ -e .env ] || printf 'PERIGEE_UID=%s\nPERIGEE_GID=%s\n' "$uid" "$gid" > .env
if [ "$(id -u)" = 0 ]; then
  chown -R "$uid:$gid" secrets nats .env
fi
echo "The token of the owner's workspace is in $(pwd)/secrets/owner-token."
echo 'Back up secrets/secret-key: without it the encrypted parts of the database are lost.'
