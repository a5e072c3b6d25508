// The image, as an archive in the layout of the OCI Image Format Specification, version 1.1: a Debian with the few programs
// that Perigee calls, and over it the files of the archive.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createWriteStream, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, gzipSync } from 'node:zlib'
import { type Entry, fileEntry, linkEntry, modes, under } from './entries.ts'
import type { Platform } from './platforms.ts'
import { release } from './release-facts.ts'
import { tarOf } from './tar.ts'
import { include } from './image-base.ts'

/** initdb wants a name for the user that it runs as. */
const user = { name: 'perigee', id: 1000 } as const
const secondsInNanoseconds = 1e9
const mediaTypes = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
} as const

type Blob = { mediaType: string; digest: string; size: number; bytes: Buffer }
type Layer = { blob: Blob; diffId: string; createdBy: string }

export function imageName({ debian }: Platform): string {
  return `perigee-${release.version}-image-${debian}.tar`
}

/** The base is the archive of a Debian. Gives the digest by which a registry and `docker pull` know the image. */
export async function writeImage(
  file: string,
  { base, platform, complete, time }: { base: string; platform: Platform; complete: readonly Entry[]; time: number },
): Promise<string> {
  if (platform.debian === null) throw new Error(`There is no Debian for ${platform.name}.`)
  const architecture = platform.debian
  const layers = [
    layerOf(readFileSync(base), `mmdebstrap bookworm with ${include.join(', ')}`),
    layerOf(Buffer.concat([...tarOf(ownEntries(base, complete), time)]), `Perigee ${release.version}`),
  ]
  const created = new Date(time * 1000).toISOString()
  const config = jsonBlob(mediaTypes.config, imageConfig({ architecture, created, layers }))
  const manifest = jsonBlob(mediaTypes.manifest, {
    schemaVersion: 2,
    mediaType: mediaTypes.manifest,
    config: descriptor(config),
    layers: layers.map(({ blob }) => descriptor(blob)),
  })
  const names = { 'org.opencontainers.image.ref.name': release.version, 'io.containerd.image.name': imageReference }
  const index = {
    schemaVersion: 2,
    mediaType: mediaTypes.index,
    manifests: [{ ...descriptor(manifest), platform: { architecture, os: 'linux' }, annotations: names }],
  }
  const entries = [
    fileEntry('oci-layout', JSON.stringify({ imageLayoutVersion: '1.0.0' })),
    fileEntry('index.json', JSON.stringify(index)),
    ...[config, manifest, ...layers.map(({ blob }) => blob)].map(({ digest, bytes }) =>
      fileEntry(`blobs/${digest.replace(':', '/')}`, bytes),
    ),
  ]
  await pipeline(Readable.from(tarOf(entries, time)), createWriteStream(file))
  return manifest.digest
}

/** The name that `docker load` gives it. */
export const imageReference = `docker.io/library/perigee:${release.version}`

function ownEntries(base: string, complete: readonly Entry[]): Entry[] {
  const file = (path: string): string => execFileSync('tar', ['-xOf', base, `./${path}`], { encoding: 'utf8' })
  return [
    ...under('opt/perigee', complete),
    linkEntry('usr/local/bin/perigee', '/opt/perigee/perigee'),
    fileEntry('etc/passwd', `${file('etc/passwd')}${user.name}:x:${user.id}:${user.id}::/data:/usr/sbin/nologin\n`),
    fileEntry('etc/group', `${file('etc/group')}${user.name}:x:${user.id}:\n`),
    { type: 'folder', path: 'data', mode: 0o700, owner: user.id },
    // A place for the runtime's own devices.
    { type: 'folder', path: 'dev', mode: modes.folder },
  ]
}

function imageConfig({
  architecture,
  created,
  layers,
}: {
  architecture: string
  created: string
  layers: readonly Layer[]
}): object {
  return {
    architecture,
    os: 'linux',
    created,
    config: {
      User: `${user.id}:${user.id}`,
      Env: [
        'PATH=/usr/local/bin:/usr/bin:/bin',
        'HOME=/tmp',
        'NODE_ENV=production',
        'NODE_COMPILE_CACHE=/tmp/perigee-compiled',
        'PERIGEE_HOST=0.0.0.0',
        'PERIGEE_PORT=3000',
        'PERIGEE_DATA_DIR=/data',
      ],
      Entrypoint: ['/usr/bin/tini', '--', '/opt/perigee/perigee'],
      Cmd: ['start'],
      WorkingDir: '/opt/perigee',
      ExposedPorts: { '3000/tcp': {} },
      Volumes: { '/data': {} },
      StopSignal: 'SIGTERM',
      // An extension by Docker, which others pass over.
      Healthcheck: {
        Test: ['CMD', ...healthCommand],
        Interval: 15 * secondsInNanoseconds,
        Timeout: 5 * secondsInNanoseconds,
        StartPeriod: 30 * secondsInNanoseconds,
        Retries: 3,
      },
      Labels: {
        'org.opencontainers.image.title': release.name,
        'org.opencontainers.image.description': release.description,
        'org.opencontainers.image.version': release.version,
        'org.opencontainers.image.licenses': release.license,
      },
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(({ createdBy }) => ({ created, created_by: createdBy })),
  }
}

/** Fails unless the service in the container answers. */
const healthScript =
  "fetch('http://127.0.0.1:' + process.env.PERIGEE_PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"

export const healthCommand: readonly string[] = ['/opt/perigee/bin/node', '--eval', healthScript]

function layerOf(tar: Buffer, createdBy: string): Layer {
  const bytes = gzipSync(tar, { level: constants.Z_BEST_COMPRESSION, memLevel: 9 })
  return { blob: blobOf(mediaTypes.layer, bytes), diffId: digestOf(tar), createdBy }
}

function jsonBlob(mediaType: string, content: object): Blob {
  return blobOf(mediaType, Buffer.from(JSON.stringify(content)))
}

function blobOf(mediaType: string, bytes: Buffer): Blob {
  return { mediaType, digest: digestOf(bytes), size: bytes.length, bytes }
}

function descriptor({ mediaType, digest, size }: Blob): object {
  return { mediaType, digest, size }
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}
