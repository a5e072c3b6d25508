// Readers of uploaded files that keep one thread, where those of a service start a thread for each file. A test that
// brings many files would spend most of its time on starting threads.
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
