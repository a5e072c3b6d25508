import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { lstatSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type Entry, arranged, fileEntry, linkEntry, modes } from './entries.ts'
import { tarOf } from './tar.ts'

const time = 1_700_000_000
const deep = `${'folder/'.repeat(20)}file`
const entries: Entry[] = [
  fileEntry('bin/run', '#!/bin/sh\n', modes.program),
  fileEntry('empty', ''),
  fileEntry('block', Buffer.alloc(512, 'x')),
  fileEntry('Grüße', 'hello'),
  fileEntry(deep, 'down here'),
  linkEntry('link', 'bin/run'),
]

function archive(given: readonly Entry[]): Buffer {
  return Buffer.concat([...tarOf(given, time)])
}

describe('an archive', () => {
  it('has the same bytes in whatever order its files were found', () => {
    assert.deepEqual(archive(entries.toReversed()), archive(entries))
  })

  it('is unpacked by tar, with modes, links, times and long names', () => {
    const folder = mkdtempSync(join(tmpdir(), 'perigee-tar-'))
    try {
      writeFileSync(join(folder, 'a.tar'), archive(entries))
      execFileSync('tar', ['-xf', 'a.tar'], { cwd: folder })
      assert.equal(readFileSync(join(folder, deep), 'utf8'), 'down here')
      assert.equal(readFileSync(join(folder, 'Grüße'), 'utf8'), 'hello')
      assert.equal(readFileSync(join(folder, 'block')).length, 512)
      assert.equal(readFileSync(join(folder, 'empty')).length, 0)
      assert.equal(readlinkSync(join(folder, 'link')), 'bin/run')
      assert.equal(lstatSync(join(folder, 'bin/run')).mode & 0o100, 0o100)
      assert.equal(lstatSync(join(folder, 'empty')).mtimeMs, time * 1000)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('names every folder once, before what is in it', () => {
    const paths = arranged([fileEntry('a/b/c', ''), fileEntry('a/d', ''), fileEntry('a.txt', '')]).map(
      ({ path }) => path,
    )
    assert.deepEqual(paths, ['a', 'a.txt', 'a/b', 'a/b/c', 'a/d'])
  })

  it('refuses two files of one name, and names that do not fit', () => {
    assert.throws(() => archive([fileEntry('a', '1'), fileEntry('a', '2')]), /Two files of the release are called a\./)
    assert.throws(() => archive([fileEntry('x'.repeat(101), '')]), /is too long for an archive/)
    assert.throws(() => archive([fileEntry(`${'folder/'.repeat(40)}x`, '')]), /is too long for an archive/)
    assert.throws(() => archive([linkEntry('a', 'x'.repeat(101))]), /links to a name of more than 100 bytes/)
  })
})
