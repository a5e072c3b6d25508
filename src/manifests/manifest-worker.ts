// The code of the thread of manifest-thread.ts: answers each manifest with what it names.
import { parentPort } from 'node:worker_threads'
import { resolveSoftware } from '#core/software/software-catalog.ts'
import { readManifest } from './index.ts'
import { ManifestError } from './manifest.ts'
import { manifestText } from './manifest-bytes.ts'
import type { ManifestFile, ReadingOutcome } from './manifest-thread.ts'

parentPort?.on('message', (file: ManifestFile) => parentPort?.postMessage(read(file)))

function read({ format, content }: ManifestFile): ReadingOutcome {
  try {
    const text = typeof content === 'string' ? content : manifestText(content)
    return { type: 'read', reading: readManifest(format, text, { resolve: resolveSoftware }) }
  } catch (error) {
    if (error instanceof ManifestError) return { type: 'refused', problem: error.message }
    throw error
  }
}
