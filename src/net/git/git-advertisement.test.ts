import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { readAdvertisement, readRefList } from './git-advertisement.ts'
import { delimiterPacket, flushPacket, writePacket } from './git-packets.ts'

const main = '1'.repeat(40)
const other = '2'.repeat(40)
const long = '3'.repeat(64)
const bytes = (...packets: string[]): Uint8Array => Buffer.from(packets.join(''))
const service = writePacket('# service=git-upload-pack') + flushPacket

describe('an advertisement', () => {
  it('of protocol 2 tells what the server can do', () => {
    const found = readAdvertisement(
      bytes(
        service,
        ...['version 2', 'agent=git/2', 'ls-refs=unborn', 'fetch=a=b c', 'server-option'].map(writePacket),
        flushPacket,
      ),
    )
    assert.ok(found?.type === 'capabilities')
    assert.deepEqual(Object.fromEntries(found.capabilities), {
      agent: 'git/2',
      'ls-refs': 'unborn',
      fetch: 'a=b c',
      'server-option': '',
    })
  })

  const caps = '\0multi_ack symref=HEAD:refs/heads/main agent=git/2'
  const lists: [what: string, lines: string[], names: Record<string, string>, head: string | null][] = [
    [
      'older servers lists names',
      [`${main} HEAD${caps}`, `${main} refs/heads/main`, `${other} refs/tags/v1`, `${main} refs/tags/v1^{}`],
      { HEAD: main, 'refs/heads/main': main, 'refs/tags/v1': other },
      'refs/heads/main',
    ],
    ['protocol 1 lists names', ['version 1', `${main} refs/heads/a\0x`], { 'refs/heads/a': main }, null],
    ['an empty repository lists none', [`${'0'.repeat(40)} capabilities^{}\0x`], {}, null],
    [
      'a shallow repository lists names',
      [`${main} refs/heads/a\0x`, `shallow ${main}`],
      { 'refs/heads/a': main },
      null,
    ],
    ['a repository of SHA-256 lists names', [`${long} refs/heads/a\0x`], { 'refs/heads/a': long }, null],
  ]
  for (const [what, lines, names, head] of lists)
    it(`of ${what}`, () => {
      const found = readAdvertisement(bytes(service, ...lines.map(writePacket), flushPacket))
      assert.ok(found?.type === 'refs')
      assert.deepEqual([Object.fromEntries(found.refs.objects), found.refs.head], [names, head])
    })

  it('of a server that refuses has its words', () =>
    assert.deepEqual(readAdvertisement(bytes(writePacket('ERR access denied'))), {
      type: 'error',
      words: 'access denied',
    }))

  const none: [what: string, text: string][] = [
    ['nothing', ''],
    ['a page', '<!doctype html>'],
    ['markers only', `${flushPacket}${flushPacket}`],
    ['a line without a name', writePacket(main)],
    ['a short name of an object', writePacket('123 refs/heads/main')],
    ['an unknown version', writePacket('version 3')],
    ['half a packet', `${service}00ff${main}`],
  ]
  for (const [what, text] of none) it(`is not ${what}`, () => assert.equal(readAdvertisement(bytes(text)), null))
})

describe('a list of names', () => {
  it('tells the branch of HEAD', () => {
    const found = readRefList(
      bytes(
        writePacket(`${main} HEAD symref-target:refs/heads/main`),
        writePacket(`${main} refs/heads/main`),
        writePacket(`${other} refs/tags/v1 peeled:${main}`),
        flushPacket,
      ),
    )
    assert.ok(found !== null && !('error' in found))
    assert.deepEqual(Object.fromEntries(found.objects), { HEAD: main, 'refs/heads/main': main, 'refs/tags/v1': other })
    assert.equal(found.head, 'refs/heads/main')
  })

  it('of an empty repository tells the branch that will be', () => {
    const found = readRefList(bytes(writePacket('unborn HEAD symref-target:refs/heads/trunk'), flushPacket))
    assert.deepEqual(found, { objects: new Map(), head: 'refs/heads/trunk' })
    assert.deepEqual(readRefList(bytes(flushPacket)), { objects: new Map(), head: null })
  })

  it('of a server that refuses has its words', () =>
    assert.deepEqual(readRefList(bytes(writePacket('ERR no'), flushPacket)), { error: 'no' }))

  it('is whole, or none', () => {
    for (const text of ['', writePacket(`${main} HEAD`), `${writePacket('x')}${flushPacket}`, delimiterPacket.slice(1)])
      assert.equal(readRefList(bytes(text)), null)
  })

  it('throws nothing, whatever comes', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        service,
        flushPacket,
        delimiterPacket,
        writePacket('version 2'),
        writePacket(`${main} HEAD\0symref=HEAD:a`),
      ),
      fc.string().map(writePacket),
      fc.string(),
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece).map((pieces) => bytes(...pieces)),
          fc.uint8Array(),
        ),
        (given) => {
          assert.ok([null, 'refs', 'capabilities', 'error'].includes(readAdvertisement(given)?.type ?? null))
          const list = readRefList(given)
          if (list !== null && !('error' in list))
            for (const object of list.objects.values()) assert.match(object, /^[0-9a-f]{40,64}$/)
        },
      ),
      { numRuns: 2000 },
    )
  })
})
