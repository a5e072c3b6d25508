// What reads the files of others in a thread for each, in one thread for all: where tests bring many files, the starts of
// threads take longer than everything else.
import { after } from 'node:test'
import { createManifestReader, type ReadManifest } from '#manifests/manifest-reader.ts'
import { openManifestThread } from '#manifests/manifest-thread.ts'
import { readBy, type SourceAnswer, sourceCode, type SourceQuestion } from '#operations/imports/source-thread.ts'
import { createUploadReader, type ReadUpload } from '#operations/imports/uploaded-source.ts'
import { openThread } from '#threads/thread.ts'

const timeoutMs = 60_000

export function readManifestsInOne(): ReadManifest {
  const thread = openManifestThread()
  after(() => thread.close())
  return createManifestReader((request) => thread.read(request, AbortSignal.timeout(timeoutMs)))
}

export function readUploadsInOne(): ReadUpload {
  const thread = openThread<SourceQuestion, SourceAnswer>(sourceCode, { timeoutMs, maxHeapMb: 768 })
  after(() => thread.close())
  return createUploadReader((reading) =>
    readBy((question) => thread.ask(question, AbortSignal.timeout(timeoutMs)), reading),
  )
}
