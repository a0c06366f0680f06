#!/usr/bin/env bash
# Builds the image of deploy/Dockerfile without a registry, as a user without rights, runs it, and checks what it can write.
# docs/decisions/test-suites.md says why so. As root on Debian: apt-get install buildah debootstrap uidmap
# Exit code 1: the image is wrong; 3: this machine cannot build one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

fail() {
  echo "container: $1" >&2
  exit 1
}
# The machine does not allow the check. It says nothing about the image then.
cannot() {
  echo "container: not checked: $1" >&2
  exit 3
}
step() { echo "container: $1 ($SECONDS s)"; }

[ "$(id -u)" = 0 ] || cannot 'debootstrap needs root: run it as root. The image is built as another user'
for program in buildah debootstrap newuidmap; do
  command -v "$program" >/dev/null || cannot "$program is missing: apt-get install buildah debootstrap uidmap"
done
user=curvekit-builder
# Debian gives a new user the subordinate ids that a build without rights needs.
id "$user" >/dev/null 2>&1 || useradd --create-home "$user"
work="$(mktemp -d /var/tmp/curvekit-container-XXXXXX)"
trap 'rm -rf "$work"' EXIT

# What the official image has: Debian, Node.js and npm, and a user `node`. With this machine's certificates and registry.
base=.cache/container-base.tar
if [ ! -e "$base" ]; then
  root="$work/base"
  debootstrap --variant=minbase bookworm "$root" >"$work/debootstrap.log" 2>&1 ||
    cannot "debootstrap: $(tail -1 "$work/debootstrap.log")"
  cp "$(node scripts/fetch-node.mjs 24)/node" "$root/usr/local/bin/node"
  npm="$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")"
  mkdir -p "$root/usr/local/lib/node_modules" "$root/usr/local/etc" "$root/etc/ssl/certs"
  cp -a "$npm" "$root/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
  cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
  printf 'registry=%s\ncafile=/etc/ssl/certs/ca-certificates.crt\n' "$(npm config get registry)" >"$root/usr/local/etc/npmrc"
  chroot "$root" groupadd --gid 1000 node
  chroot "$root" useradd --uid 1000 --gid node --create-home node
  mkdir -p .cache
  tar -C "$root" -cf "$base.part" . && mv "$base.part" "$base"
  rm -rf "$root"
  step "the base is made by debootstrap, $(du -m "$base" | cut -f1) MB"
fi

mkdir "$work/context" "$work/node"
git ls-files -z --cached --others --exclude-standard | tar --null --files-from=- -cf - | tar -C "$work/context" -xf -
cp "$base" "$work/node/base.tar"
printf 'FROM scratch\nADD base.tar /\nENV PATH=/usr/local/bin:/usr/bin:/bin\nENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt\n' \
  >"$work/node/Dockerfile"
chown -R "$user:" "$work"

storage=(--root "$work/storage" --runroot "$work/run" --storage-driver "${STORAGE_DRIVER:-overlay}")
as_user() { (cd "$work" && runuser -u "$user" -- buildah "${storage[@]}" "$@"); }
build() { as_user bud --isolation chroot --pull=never --format docker "$@" >"$work/build.log" 2>&1 || fail "$(tail -5 "$work/build.log")"; }
as_user unshare true 2>"$work/unshare.log" || cannot "no user namespace without rights: $(tail -1 "$work/unshare.log")"
build --tag base "$work/node"
step 'the base is an image'
build --build-arg NODE=localhost/base --file "$work/context/deploy/Dockerfile" --tag curvekit "$work/context"
step "the image is built as the user $user"

of_image() { as_user inspect --type image --format "{{$1}}" localhost/curvekit; }
[ "$(of_image .OCIv1.Config.User)" = node ] || fail "the image runs as $(of_image .OCIv1.Config.User)"
as_user from --pull=never --name curvekit localhost/curvekit >/dev/null
port="$(node -e "const s = require('net').createServer().listen(0, () => { console.log(s.address().port); s.close(); })")"
inside() { as_user run --isolation chroot --user node --env PORT="$port" --env OPERATOR_PORT=0 \
  --env DATABASE_FOLDER=/var/lib/curvekit/database curvekit -- "$@"; }

# The volume is a mount of its own, into which find does not go. It fails at folders that it may not read.
written="$(inside sh -c 'find / -xdev -writable -not -type l 2>/dev/null || true' |
  grep -vE '^/(tmp|var/tmp|run/lock|proc|sys|dev|home/node)(/|$)' | tr '\n' ' ')"
[ "$written" = '/var/lib/curvekit ' ] || fail "the user node can write: $written"
step 'the user node can write /var/lib/curvekit, temporary files and its home, and nothing else'

# What ENTRYPOINT and CMD of the image say.
read -r -a command <<<"$(of_image 'range .OCIv1.Config.Entrypoint}}{{.}} {{end}}{{range .OCIv1.Config.Cmd}}{{.}} {{end')"
# buildah itself may fail when its command ends, so the shell inside tells the exit code.
inside sh -c '"$@" & echo "pid $!"; wait $!; echo "exit $?"' sh "${command[@]}" >"$work/service.log" 2>&1 &
service=$!
health() { node -e "fetch('http://127.0.0.1:$port$1').then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"; }
for ((tries = 0; ; tries += 1)); do
  health /health && break
  [ "$tries" -lt 60 ] && kill -0 "$service" 2>/dev/null || fail "no answer: $(tail -3 "$work/service.log")"
  sleep 0.5
done
health / || fail 'the page is not served'
step 'the container serves /health and the page'

kill -TERM "$(sed -n 's/^pid //p' "$work/service.log")"
wait "$service" || true
grep -qx 'exit 0' "$work/service.log" || fail "the service did not end well: $(tail -3 "$work/service.log")"
step 'the service ends with exit code 0 after SIGTERM'
