import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { findProgram } from '../../../test/support/peers/program.ts'
import { type Entry, fileEntry, linkEntry, modes } from '../entries.ts'
import { root } from '../release-facts.ts'
import { tarOf } from '../tar.ts'
import { firstDifference } from './difference.ts'
import { differences } from './second-build.ts'

const noDpkg = findProgram('dpkg-deb') === null ? 'dpkg-deb is not installed' : false
const base = [fileEntry('a/one', '1'), fileEntry('a/two', 'second'), linkEntry('b', 'a/one')]

function tar(entries: readonly Entry[], time = 1_700_000_000): Buffer {
  return Buffer.concat([...tarOf(entries, time)])
}

function image(text: string): Buffer {
  const layer = gzipSync(tar([fileEntry('etc/hostname', text)]))
  const digest = (name: string) => `sha256:${text}-${name}`
  const manifest = JSON.stringify({ config: { digest: digest('config') }, layers: [{ digest: digest('layer') }] })
  return tar([
    fileEntry('oci-layout', '{}'),
    fileEntry('index.json', JSON.stringify({ manifests: [{ digest: digest('manifest') }] })),
    fileEntry(`blobs/sha256/${text}-manifest`, manifest),
    fileEntry(`blobs/sha256/${text}-config`, '{}'),
    fileEntry(`blobs/sha256/${text}-layer`, layer),
  ])
}

describe('the first difference of two artefacts', () => {
  for (const [what, other, expected] of [
    ['none', tar(base), null],
    ['a byte', tar(base.with(1, fileEntry('a/two', 'secomd'))), 'a/two: byte 4 is 110 and 109'],
    ['a length', tar(base.with(0, fileEntry('a/one', '12'))), 'a/one: 1 and 2 bytes'],
    ['a name', tar(base.with(1, fileEntry('a/zwei', 'second'))), 'a/two in the first, a/zwei in the second'],
    ['a file that is missing', tar(base.slice(0, 2)), 'only the first has b'],
    ['a file more', tar([...base, fileEntry('c', '')]), 'only the second has c'],
    ['a mode', tar(base.with(0, fileEntry('a/one', '1', modes.program))), /^a\/one: mode 0*644, .* and mode 0*755, /],
    ['a time', tar(base, 1_700_000_001), /^a\/: mode .*time 14524770400, .* and .*time 14524770401, /],
    ['a target', tar(base.with(2, linkEntry('b', 'a/two'))), /^b: .*target a\/one, .* and .*target a\/two, /],
  ] as const)
    it(`is found, compressed or not: ${what}`, () => {
      const found = [firstDifference(tar(base), other), firstDifference(gzipSync(tar(base)), gzipSync(other))]
      for (const each of found)
        if (expected instanceof RegExp) assert.match(each ?? '', expected)
        else assert.equal(each, expected)
    })

  it('is told of another compression of the same contents', () => {
    const [quick, small] = [1, 9].map((level) => gzipSync(tar(base), { level }))
    assert.ok(quick !== undefined && small !== undefined)
    assert.match(firstDifference(quick, small) ?? '', /^the same contents, packed differently: byte \d+ is /)
  })

  it('is found in the layer of an image, whose names are checksums', () => {
    assert.equal(firstDifference(image('here'), image('hers')), 'layer 1: etc/hostname: byte 3 is 101 and 115')
  })

  it('is found in a package of Debian', { skip: noDpkg }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'perigee-difference-'))
    try {
      const [one, other] = ['text', 'next'].map((text) => {
        const entries = {
          'DEBIAN/control': 'Package: a\nVersion: 1\nArchitecture: all\nMaintainer: a <a@b>\nDescription: a\n',
          'opt/file': text,
        }
        execFileSync('mkdir', ['-p', join(folder, text, 'DEBIAN'), join(folder, text, 'opt')])
        for (const [path, content] of Object.entries(entries)) writeFileSync(join(folder, text, path), content)
        const file = join(folder, `${text}.deb`)
        execFileSync('dpkg-deb', ['-Zxz', '--root-owner-group', '--build', join(folder, text), file], {
          env: { ...process.env, SOURCE_DATE_EPOCH: '1000000000' },
          stdio: 'ignore',
        })
        return readFileSync(file)
      })
      assert.ok(one !== undefined && other !== undefined)
      assert.equal(firstDifference(one, other), 'data.tar.xz: ./opt/file: byte 0 is 116 and 110')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('two folders of releases', () => {
  it('are compared file by file', () => {
    const folders = ['first', 'second'].map((name) => mkdtempSync(join(tmpdir(), `perigee-${name}-`)))
    const [first = '', second = ''] = folders
    try {
      for (const folder of folders) writeFileSync(join(folder, 'same'), 'same')
      writeFileSync(join(first, 'a'), 'x')
      writeFileSync(join(second, 'b'), 'x')
      writeFileSync(join(first, 'c'), 'x')
      writeFileSync(join(second, 'c'), 'y')
      assert.deepEqual(differences(first, second), [
        'a: only the first build has it.',
        'b: only the second build has it.',
        'c: byte 0 is 120 and 121.',
      ])
    } finally {
      for (const folder of folders) rmSync(folder, { recursive: true })
    }
  })
})

describe('another day', () => {
  it('is what a process with it believes, and given times stay', () => {
    const script =
      'console.log(Date.now(), new Date().getTime(), new Date(5).getTime(), new Date() instanceof Date, Date.UTC(1970, 0, 1))'
    const preload = pathToFileURL(join(root, 'scripts/release/compare/another-day.js')).href
    const printed = execFileSync(process.execPath, ['--import', preload, '--eval', script], { encoding: 'utf8' })
    const [now, made, given, isDate, epoch] = printed.trim().split(' ')
    for (const each of [now, made]) assert.ok(Math.abs(Number(each) - Date.now() - 400 * 86_400_000) < 60_000, each)
    assert.deepEqual([given, isDate, epoch], ['5', 'true', '0'])
  })
})
