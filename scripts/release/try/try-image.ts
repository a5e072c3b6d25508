import { execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { healthCommand } from '../image.ts'
import { watchTrial, watchedAddress } from './start-trial.ts'

const loadMs = 300_000
const configSchema = z.object({
  User: z.string(),
  Env: z.array(z.string()),
  Entrypoint: z.array(z.string()),
  Cmd: z.array(z.string()),
  WorkingDir: z.string(),
  Volumes: z.record(z.string(), z.object({})),
})
type Config = z.infer<typeof configSchema>

/**
 * The first arguments are the image's files, a folder for its volume and its user, and the folder to work in; the rest is a command. Nothing but the
 * volume and /tmp can be written, and no right can be gained.
 */
const contained = `set -e
ip link set lo up
mount --bind "$1" "$1"
mount -o remount,bind,ro "$1"
mount -t proc proc "$1/proc"
mount -t tmpfs -o mode=1777 tmpfs "$1/tmp"
mount -t tmpfs -o mode=755 tmpfs "$1/dev"
for device in null zero random urandom; do : > "$1/dev/$device"; mount --bind "/dev/$device" "$1/dev/$device"; done
mkdir "$1/dev/shm"
mount -t tmpfs -o mode=1777 tmpfs "$1/dev/shm"
mount --bind "$2" "$1/data"
root=$1; user=$3; place=$4; shift 4
exec setpriv --no-new-privs chroot --userspec="$user" "$root" /usr/bin/env -i --chdir="$place" "$@"`

/**
 * podman loads the image, which compares the digests of its parts, and lays out its files. They are started in a chroot with
 * the entry point, the user and the variables of the image's configuration: unlike a container, this needs no control groups
 * of the machine, and so works inside of another container.
 */
export async function tryImage(file: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-podman-'))
  const storage = [`--root=${folder}/root`, `--runroot=${folder}/run`, '--storage-driver=vfs']
  const podman = (...args: string[]): string =>
    execFileSync('podman', [...storage, ...args], { encoding: 'utf8', timeout: loadMs }).trim()
  try {
    const began = performance.now()
    const id = podman('pull', '--quiet', `oci-archive:${file}`)
    const loadedSeconds = (performance.now() - began) / 1000
    const config = configSchema.parse(JSON.parse(podman('image', 'inspect', '--format={{json .Config}}', id)))
    const files = podman('mount', podman('create', id))
    const { secondsToFirstCheck } = await start(config, { files, folder })
    return `loaded in ${loadedSeconds.toFixed(1)} s, ${secondsToFirstCheck.toFixed(1)} s from the start to the first check in a chroot, read-only, as ${config.User}`
  } finally {
    execFileSync('podman', [...storage, 'rm', '--all', '--force'], { stdio: 'ignore', timeout: loadMs })
    rmSync(folder, { recursive: true, force: true })
  }
}

async function start(config: Config, { files, folder }: { files: string; folder: string }) {
  const volume = join(folder, 'volume')
  const [uid = 0, gid = uid] = config.User.split(':').map(Number)
  if (uid === 0 || !Object.hasOwn(config.Volumes, '/data')) throw new Error('The image runs as root, or has no volume.')
  mkdirSync(volume, { mode: 0o700 })
  chownSync(volume, uid, gid)
  const namespaces = ['--net', '--mount', '--pid', '--ipc', '--uts', '--fork', '--kill-child']
  const program = ['/bin/sh', '-c', contained, 'sh']
  const began = performance.now()
  const child = spawn(
    'unshare',
    [
      ...namespaces,
      ...program,
      files,
      volume,
      `${uid}:${gid}`,
      config.WorkingDir,
      ...config.Env,
      'PERIGEE_ALLOW_PRIVATE_TARGETS=127.0.0.1/32',
      ...config.Entrypoint,
      ...config.Cmd,
      watchedAddress,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  return watchTrial(child, { began, stop: () => endInside(child.pid, config) })
}

/** Makes the health check where the service runs, and tells it to end as a container runtime does: by its first process. */
function endInside(unshare: number | undefined, config: Config): void {
  const first = execFileSync('pgrep', ['--parent', String(unshare)], { encoding: 'utf8' }).trim()
  const inside = ['--target', first, '--net', '--mount', '--pid', '--root', '--wd']
  execFileSync('nsenter', [...inside, '/usr/bin/env', '-i', ...config.Env, ...healthCommand], { timeout: loadMs })
  execFileSync('kill', ['-TERM', first])
}
