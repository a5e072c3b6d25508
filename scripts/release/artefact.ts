import { createHash } from 'node:crypto'
import { createWriteStream, mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import type { Entry } from './entries.ts'
import { tarOf } from './tar.ts'

/** Every system can unpack gzip; zstd and xz are not on a fresh Debian. */
export async function writeTarGz(file: string, entries: readonly Entry[], modifiedAt: number): Promise<void> {
  mkdirSync(dirname(file), { recursive: true })
  // Node's gzip writes neither a name nor a time into its header.
  const gzip = createGzip({ level: constants.Z_BEST_COMPRESSION, memLevel: 9 })
  await pipeline(Readable.from(tarOf(entries, modifiedAt)), gzip, createWriteStream(file))
}

export function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

export function megabytes(file: string): string {
  return inMegabytes(statSync(file).size)
}

export function inMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
