import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { createNet } from '#net/create-net.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { zipArchive } from '../../../test/support/zip-archive.ts'
import { readDump } from './dump.ts'
import { FeedError, type FeedParts } from './feed.ts'

const net = createNet({ allowPrivate: ['127.0.0.0/8'] })

async function served(archive: Buffer): Promise<FeedParts> {
  const { port } = await httpServer((_, response) => void response.writeHead(200).end(archive))
  const root = `http://127.0.0.1:${port}`
  return { net, root, signal: new AbortController().signal, wait: async () => {}, now: () => new Date() }
}

async function read(archive: Buffer): Promise<[name: string, text: unknown][]> {
  const entries: [string, unknown][] = []
  for await (const { name, text } of readDump(await served(archive), { path: '/all.zip', fits: /\.json$/ }))
    entries.push([name, text === null ? null : Buffer.from(text).toString()])
  return entries
}

/** Changes the unpacked length in the list of contents, where a zip file states it last (APPNOTE 4.3.12). */
function claiming(archive: Buffer, uncompressedSize: number): Buffer {
  const listed = archive.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1'))
  const changed = Buffer.from(archive)
  changed.writeUInt32LE(uncompressedSize, listed + 24)
  return changed
}

describe('an archive of a feed', () => {
  const temporary = mkdtempSync(join(tmpdir(), 'perigee-dump-test-'))
  const usual = process.env['TMPDIR']
  process.env['TMPDIR'] = temporary
  after(() => {
    if (usual === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = usual
    rmSync(temporary, { recursive: true })
  })

  it('gives its records one by one', async () => {
    const archive = zipArchive({ 'a.json': '{"id":1}', 'b.txt': '{"id":2}', 'c.json': '{"id":', 'd.json': '[]' })
    assert.deepEqual(await read(archive), [
      ['a.json', '{"id":1}'],
      ['c.json', '{"id":'],
      ['d.json', '[]'],
    ])
  })

  it('unpacks nothing that is longer than any record, or than it says', async () => {
    const long = JSON.stringify('0'.repeat(9_000_000))
    assert.deepEqual(await read(zipArchive({ 'a.json': long })), [['a.json', null]])
    const bomb = zipArchive({ 'a.json': long })
    assert.ok(bomb.length < 100_000)
    assert.deepEqual(await read(claiming(bomb, 100)), [['a.json', null]])
  })

  it('that is none is told in a sentence', async () => {
    const reading = read(Buffer.from('PK\x03\x04 and then nothing'))
    await assert.rejects(
      reading,
      (error) => error instanceof FeedError && /\/all\.zip cannot be read/.test(error.message),
    )
  })

  it('leaves nothing behind, even of a process that is killed while it reads', async () => {
    const parts = await served(zipArchive({ 'a.json': '1', 'b.json': '2' }))
    for await (const { name } of readDump(parts, { path: '/all.zip', fits: /\.json$/ }))
      assert.deepEqual([name, readdirSync(temporary)], [name, []])
    assert.deepEqual(readdirSync(temporary), [])
  })
})
