import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ImportSource, importSources } from '#core/imports/import-source.ts'
import { ImportError } from '#core/imports/imported.ts'
import { fail, invalidFields } from '#core/language/error.ts'
import { namesOf } from '#core/language/tables.ts'
import { createPlaces } from '#threads/waiting-places.ts'
import { readInThread, type ReadImport, type SourceReading } from './source-thread.ts'

/** Of a database; a text takes far longer to read for its length. */
export const maxUploadBytes = 64 * 1024 ** 2
export const maxUploadedTextBytes = 8 * 1024 ** 2

export type UploadReading = Pick<SourceReading, 'project' | 'pingKey' | 'now' | 'wants' | 'shortestIntervalSeconds'> & {
  source: ImportSource | null
  /** The name of the file where it came from. */
  name: string
}

/** Reads a file that somebody sent. Throws refusals. */
export type ReadUpload = (file: AsyncIterable<Uint8Array>, reading: UploadReading) => Promise<ReadImport>

/** Each of the former has a file on the disk, each of the latter a thread. */
const uploads = { atOnce: 8, maxWaiting: 0 }
const readings = { atOnce: 2, maxWaiting: 6 }
const limits = { timeoutMs: 60_000, maxHeapMb: 768 }
const ownersOnly = 0o600

/**
 * The file is written to the disk, where only this process may read it, and read there in a thread of its own. It is
 * gone before the answer goes out. A process has one reader, which bounds how much of it is done at once.
 */
export function createUploadReader(readSource: ReadSource = inOwnThread): ReadUpload {
  const [uploading, reading] = [createPlaces(uploads), createPlaces(readings)]
  return async (file, given) => {
    const read = await uploading.take(async () => {
      const folder = await mkdtemp(join(tmpdir(), `perigee-upload-${process.pid}-`))
      try {
        const path = join(folder, 'file')
        await writeFile(path, file, { mode: ownersOnly, flag: 'wx' })
        return await reading.take(() => readStored(path, given, readSource))
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    })
    if (read === null)
      throw fail('unavailable', 'Too many files are being read right now. Try again in a moment.', again)
    return read
  }
}

const again = { retryAfterSeconds: 5 }

type ReadSource = (reading: SourceReading) => Promise<ReadImport | null>

function inOwnThread(reading: SourceReading): Promise<ReadImport | null> {
  return readInThread(reading, limits)
}

async function readStored(
  path: string,
  { name, ...given }: UploadReading,
  readSource: ReadSource,
): Promise<ReadImport> {
  const reading = { ...given, files: [{ name, path }], hidesSecrets: false, maxTextBytes: maxUploadedTextBytes }
  const read = await readSource({ ...reading, variables: new Map() }).catch(refuse)
  if (read === null)
    throw invalidFields({ source: [`The source was not recognized. Name it: ${namesOf(importSources).join(', ')}.`] })
  return read
}

function refuse(error: unknown): never {
  if (error instanceof ImportError) throw invalidFields({ file: [error.message] })
  throw error
}
