#!/bin/sh
# Makes the clone in which it stands a service of systemd: user, folders, master key, settings, units. Run as root; once more after an update.
# It changes nothing that is there already but the units, the command and the hook of certbot.
set -eu
[ "$(id -u)" -eq 0 ] || { echo 'Run this as root.' >&2; exit 1; }
here=$(cd "$(dirname "$0")/.." && pwd -P)
[ "$here" = /opt/ticketrail ] || { echo "The unit runs /opt/ticketrail, and this clone is $here: move it there." >&2; exit 1; }
node=$(echo "$here"/node_modules/node-linux-*/bin/node)
[ -x "$node" ] || { echo "Run \`npm ci --ignore-scripts\` in $here first." >&2; exit 1; }
# The npm of Debian 12 unpacks this Node without making the link to it.
if [ ! -x "$here/node_modules/.bin/node" ]; then
  install -d "$here/node_modules/.bin"
  ln -sfn "../${node#"$here/node_modules/"}" "$here/node_modules/.bin/node"
fi

# The dashboard's page and the npm package for client developers. After `npm ci --omit=dev` there is nothing to build them with: the relay
# then runs without them.
if [ -x "$here/node_modules/.bin/vite" ]; then
  (cd "$here" && PATH="$here/node_modules/.bin:$PATH" && vite build --config vite.cloud.config.ts --logLevel warn && node scripts/package/npm-package.ts)
elif [ ! -e "$here/dist/cloud-web/dashboard.html" ]; then
  echo 'The dashboard and the npm package are not built: run `npm ci --ignore-scripts` and this script again for them.'
fi

install -m 0644 "$here/systemd/ticketrail-relay.sysusers" /usr/lib/sysusers.d/ticketrail-relay.conf
systemd-sysusers ticketrail-relay.conf
install -d -m 0755 /etc/ticketrail-relay
# The relay's group reads certificates and keys here, nobody else.
install -d -m 0750 -g ticketrail-relay /etc/ticketrail-relay/tls
# For `ticketrail-relay backup`.
install -d -m 0700 -o ticketrail-relay -g ticketrail-relay /var/backups/ticketrail-relay
if [ ! -e /etc/ticketrail-relay/master-key ]; then
  (umask 077 && openssl rand -base64 32 >/etc/ticketrail-relay/master-key.new)
  mv /etc/ticketrail-relay/master-key.new /etc/ticketrail-relay/master-key
  echo 'A master key was made: /etc/ticketrail-relay/master-key. Keep a copy elsewhere, webhook secrets cannot be read without it.'
  echo 'Another relay on the same database needs this very key: put it there before you run this script on its machine.'
fi
[ -e /etc/ticketrail-relay/relay.env ] || install -m 0640 -g ticketrail-relay "$here/deploy/relay.env" /etc/ticketrail-relay/relay.env
for unit in ticketrail-relay.service \
  ticketrail-relay-backup.service ticketrail-relay-backup.timer \
  ticketrail-relay-restore-drill.service ticketrail-relay-restore-drill.timer; do
  install -m 0644 "$here/systemd/$unit" "/etc/systemd/system/$unit"
done
install -m 0755 "$here/deploy/ticketrail-relay" /usr/local/sbin/ticketrail-relay
if [ -d /etc/letsencrypt ]; then
  install -D -m 0755 "$here/deploy/certbot-hook" /etc/letsencrypt/renewal-hooks/deploy/ticketrail-relay
fi
systemctl daemon-reload
systemctl enable --quiet ticketrail-relay
echo 'Now look at /etc/ticketrail-relay/relay.env, then: systemctl restart ticketrail-relay'
