import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { cpuMsOf } from '../../test/support/cpu-time.ts'
import {
  chooseManifests,
  isManifestPath,
  type ManifestFormat,
  manifestFormat,
  manifestFormats,
  maxManifests,
} from './file-names.ts'

describe('the format of a manifest', () => {
  const told: [name: string, format: ManifestFormat | null][] = [
    ...manifestFormats.map((format): [string, ManifestFormat] => [format, format]),
    ['npm-shrinkwrap.json', 'package-lock.json'],
    ['dev.requirements.txt', 'requirements.txt'],
    ['dev-requirements.txt', 'requirements.txt'],
    ['requirements-dev.txt', 'requirements.txt'],
    ['requirements_test.txt', 'requirements.txt'],
    ['requirements.prod.txt', 'requirements.txt'],
    ['Shop.csproj', '.csproj'],
    ['Shop.Web.CSPROJ', '.csproj'],
    ['Shop.fsproj', '.csproj'],
    ['directory.packages.props', 'Directory.Packages.props'],
    ['Dockerfile.prod', 'Dockerfile'],
    ['web.Dockerfile', 'Dockerfile'],
    ['dockerfile', 'Dockerfile'],
    ['Containerfile', 'Dockerfile'],
    ['compose.yaml', 'docker-compose.yml'],
    ['compose.yml', 'docker-compose.yml'],
    ['docker-compose.yaml', 'docker-compose.yml'],
    ['docker-compose.prod.yml', 'docker-compose.yml'],
    ['services/web/go.mod', 'go.mod'],
    ['package.json.bak', null],
    ['my-package.json', null],
    ['Package.json', null],
    ['myrequirements.txt', null],
    ['requirements.txt.in', null],
    ['requirementsdev.txt', null],
    ['composer.yml', null],
    ['docker-composed.yml', null],
    ['Dockerfiles', null],
    ['go.mod/readme.md', null],
    ['nvmrc', null],
    ['Shop.csproj.user', null],
    [`${'a'.repeat(250)}.csproj`, null],
    ['', null],
    ['/', null],
  ]
  for (const [name, format] of told)
    it(`of ${name.slice(0, 40)} is ${format}`, () => assert.equal(manifestFormat(name), format))
})

describe('a path of a repository', () => {
  const paths: [path: string, isManifest: boolean][] = [
    ['package.json', true],
    ['apps/shop/package.json', true],
    ['test/package.json', true],
    ['fixtures.d/package.json', true],
    ['node_modules', false],
    ['node_modules/a/package.json', false],
    ['apps/shop/node_modules/a/package.json', false],
    ['vendor/github.com/a/b/go.mod', false],
    ['Vendor/go.mod', false],
    ['vendor.go.mod', false],
    ['tests/fixtures/package.json', false],
    ['src/__fixtures__/a/yarn.lock', false],
    ['internal/testdata/go.mod', false],
    ['README.md', false],
  ]
  for (const [path, isManifest] of paths)
    it(`${path} is ${isManifest ? 'a' : 'no'} manifest`, () => assert.equal(isManifestPath(path), isManifest))

  it('is judged quickly, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (path) => {
        assert.equal(typeof isManifestPath(path), 'boolean')
      }),
    )
    const ms = cpuMsOf(() => {
      for (const piece of ['requirements-', 'a.', '-', 'compose.', '/'])
        for (const path of [piece.repeat(30_000), `${piece.repeat(15)}.txt`.repeat(10)]) isManifestPath(path)
    })
    assert.ok(ms < 1000, `${ms} ms`)
  })
})

describe('of too many manifests', () => {
  it('those nearest to the root are chosen, in the order of their names', () => {
    const deep = Array.from({ length: maxManifests }, (_, index) => ({ path: `apps/${index}/package.json` }))
    const chosen = chooseManifests([...deep, { path: 'b/go.mod' }, { path: 'package.json' }, { path: 'a/go.mod' }])
    assert.equal(chosen.length, maxManifests)
    assert.deepEqual(
      chosen.slice(0, 4).map(({ path }) => path),
      ['package.json', 'a/go.mod', 'b/go.mod', 'apps/0/package.json'],
    )
  })
})
