import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { ManifestError } from './manifest.ts'
import { manifestText } from './manifest-bytes.ts'
import { openManifestThread, readInThread, type ReadingOutcome } from './manifest-thread.ts'

const patientMs = 60_000
const patient = (): AbortSignal => AbortSignal.timeout(patientMs)

describe('a thread that reads manifests', () => {
  const thread = openManifestThread({ timeoutMs: patientMs })
  after(() => thread.close())

  it('tells what one names', async () => {
    const content = '{"dependencies":{"lodash":"4.17.20"}}'
    const packages = [{ product: 'npm:lodash', name: 'lodash', version: '4.17.20' }]
    const expected: ReadingOutcome = { type: 'read', reading: { packages, unrecognized: [], doubt: null } }
    assert.deepEqual(await thread.read({ format: 'package.json', content }, patient()), expected)
    assert.deepEqual(await thread.read({ format: 'package.json', content: Buffer.from(content) }, patient()), expected)
    assert.deepEqual(await readInThread({ format: 'package.json', content }, { timeoutMs: patientMs }), expected)
  })

  it('knows the catalogue', async () => {
    const outcome = await thread.read({ format: 'plain', content: 'nginx 1.27.4\nwhat is this' }, patient())
    assert.ok(outcome.type === 'read')
    assert.deepEqual(outcome.reading, {
      packages: [{ product: 'nginx', name: 'nginx', version: '1.27.4' }],
      unrecognized: ['what is this'],
      doubt: null,
    })
  })

  it('refuses in a sentence, and reads on', async () => {
    const refused = await thread.read({ format: 'package.json', content: '{' }, patient())
    assert.equal(refused.type, 'refused')
    assert.match(refused.type === 'refused' ? refused.problem : '', /^[A-Z].*\.$/)
    assert.equal((await thread.read({ format: 'go.mod', content: 'module a' }, patient())).type, 'read')
  })

  it('is given up in time, and another reads on', async () => {
    const content = 'a==1.0\n'.repeat(700_000)
    const outcome = await thread.read({ format: 'requirements.txt', content }, AbortSignal.timeout(1))
    assert.deepEqual(outcome, { type: 'given up', problem: 'It takes too long to read.' })
    assert.equal((await thread.read({ format: 'go.mod', content: 'module a' }, patient())).type, 'read')
    assert.equal((await thread.read({ format: 'go.mod', content: '' }, AbortSignal.abort())).type, 'given up')
    const hurried = await readInThread({ format: 'go.mod', content: '' }, { timeoutMs: 1 })
    assert.equal(hurried.type, 'given up')
  })

  it('rejects a waiting request when it is closed', async () => {
    const closing = openManifestThread()
    const reading = closing.read({ format: 'requirements.txt', content: 'a==1.0\n'.repeat(700_000) }, patient())
    await Promise.all([assert.rejects(reading, /ended before it answered/), closing.close()])
    await closing.close()
  })
})

describe('the bytes of a manifest', () => {
  const text = 'Ünicode==1.0\n'
  const bigEndian = Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()
  const written: [what: string, bytes: Uint8Array][] = [
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16, little endian', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16, big endian', bigEndian],
  ]
  for (const [what, bytes] of written) it(`are text in ${what}`, () => assert.equal(manifestText(bytes), text))

  it('are not those of a pointer into Git LFS', () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n'
    assert.throws(() => manifestText(Buffer.from(pointer)), ManifestError)
    assert.equal(manifestText(Buffer.from(pointer.slice(1))), pointer.slice(1))
  })

  it('are text whatever they are', () =>
    fc.assert(fc.property(fc.uint8Array(), (bytes) => assert.ok(manifestText(bytes).length <= bytes.length))))
})
