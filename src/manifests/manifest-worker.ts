// The code of the thread of manifest-thread.ts: answers each manifest with what it names.
import { resolveSoftware } from '#core/software/software-catalog.ts'
import { answerQuestions } from '#threads/answering.ts'
import { readManifest } from './index.ts'
import { ManifestError } from './manifest.ts'
import { manifestText } from './manifest-bytes.ts'
import type { ManifestAnswer, ManifestFile } from './manifest-thread.ts'

answerQuestions(read)

function read({ format, content }: ManifestFile): ManifestAnswer {
  try {
    const text = typeof content === 'string' ? content : manifestText(content)
    return { type: 'read', reading: readManifest(format, text, { resolve: resolveSoftware }) }
  } catch (error) {
    if (error instanceof ManifestError) return { type: 'refused', problem: error.message }
    throw error
  }
}
