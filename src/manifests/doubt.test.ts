import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../test/support/any-character.ts'
import { resolveSoftware } from '#core/software/software-catalog.ts'
import { doubtOf } from './doubt.ts'
import { readManifest } from './index.ts'
import { ManifestError } from './manifest.ts'

const formats = ['package.json', 'composer.json', '.tool-versions'] as const

describe('content without packages', () => {
  const cases = [
    ['package.json', '{}', true],
    ['package.json', '{"message":"Not Found","status":"404"}', true],
    ['package.json', '{"name":"NotFoundError","message":"Not Found"}', true],
    ['package.json', '{"version":"2","error":"no such file"}', true],
    ['package.json', '{"name":"shop"}', false],
    ['package.json', '{"type":"module"}', false],
    ['package.json', '{"name":"shop","title":"Shop","scripts":{}}', false],
    ['package.json', '{"sideEffects":false}', false],
    ['composer.json', '{}', true],
    ['composer.json', '{"status":"error","message":"Package not found"}', true],
    ['composer.json', '{"name":"acme/shop","description":"A shop"}', false],
    ['composer.json', '{"require":{},"status":"draft"}', false],
    ['.tool-versions', 'Error 404', true],
    ['.tool-versions', 'no-such-tool 1.2.3\n# nodejs 20.11.0', true],
    ['.tool-versions', '# nodejs 20.11.0\n', false],
    ['package-lock.json', '{"name":"shop","lockfileVersion":1}', false],
  ] as const
  for (const [format, content, isDoubted] of cases)
    it(`is ${isDoubted ? '' : 'not '}doubted: ${format} ${JSON.stringify(content)}`, () => {
      const { packages, doubt } = readManifest(format, content, { resolve: resolveSoftware })
      assert.deepEqual([packages, doubt !== null], [[], isDoubted])
    })

  it('is never in doubt where it names a package', () => {
    const content = '{"message":"Not Found","dependencies":{"lodash":"4.17.20"}}'
    assert.equal(readManifest('package.json', content, { resolve: resolveSoftware }).doubt, null)
  })

  it('is judged without any other error, whatever it is', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...formats),
        fc.oneof(fc.json(), fc.string({ unit: anyCharacter })),
        (format, content) => {
          try {
            const doubt = doubtOf(format, content)
            assert.ok(doubt === null || /^It is no .*\.$/.test(doubt))
          } catch (error) {
            assert.ok(error instanceof ManifestError)
          }
        },
      ),
    ))
})

describe('a page of the web', () => {
  for (const content of ['<!doctype html>\nnginx 1.27.4', '\n <html>\nnginx 1.27.4\n</html>', '<?xml version="1.0"?>'])
    it(`is no plain list: ${JSON.stringify(content)}`, () =>
      assert.throws(() => readManifest('plain', content, { resolve: resolveSoftware }), ManifestError))
})
