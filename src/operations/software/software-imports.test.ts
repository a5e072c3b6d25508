import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Answer, type TestApi, testApi } from '../../../test/support/api.ts'
import { createMonitor, refusalOf } from '../../../test/support/monitors.ts'
import { readManifestsInOne } from '../../../test/support/one-thread.ts'
import {
  compare,
  entryOf,
  findingIn,
  found,
  importIn,
  listed,
  publish,
  reportIn,
} from '../../../test/support/software.ts'
import { until } from '../../../test/support/until.ts'
import { resolveSoftware } from '#core/software/software-catalog.ts'
import type { Vulnerabilities } from '#core/software/vulnerability.ts'
import { manifestFormats } from '#manifests/file-names.ts'
import { createManifestReader } from '#manifests/manifest-reader.ts'
import { readInThread } from '#manifests/manifest-thread.ts'
import { readManifest as readNow } from '#manifests/index.ts'

const lockOf = (packages: Record<string, string>): string =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: Object.fromEntries(
      Object.entries(packages).map(([name, version]) => [`node_modules/${name}`, { version }]),
    ),
  })

function listOf(name: string, count: number): string {
  return Array.from({ length: count }, (_, index) => `npm:${name}-${index} 1.0.0`).join('\n')
}

type Imported = {
  id: string
  importing: (body: object) => Promise<Answer>
  removing: (file?: string) => Promise<Answer>
  report: () => Promise<Vulnerabilities>
}

async function importedAt(api: TestApi): Promise<Imported> {
  const { id } = await createMonitor(api)
  const at = `/monitors/${id}/software/import`
  return {
    id,
    importing: (body) => api.post(at, body),
    removing: (file) => api.request('DELETE', file === undefined ? at : `${at}?file=${encodeURIComponent(file)}`),
    report: async () => reportIn(await api.get(`/monitors/${id}/vulnerabilities`)),
  }
}

describe('an import', async () => {
  const api = await testApi({ maxConnections: 5 })
  const { database } = api
  const monitor = (): Promise<Imported> => importedAt(api)

  it('adds what a lockfile names, with the file as evidence', async () => {
    const { importing } = await monitor()
    const content = lockOf({ lodash: '4.17.20', '@babel/core': '7.0.0' })
    const answer = await importing({ content, filename: 'app/package-lock.json' })
    assert.deepEqual(importIn(answer), {
      file: 'app/package-lock.json',
      format: 'package-lock.json',
      imported: 2,
      unrecognized: [],
    })
    const report = reportIn(answer)
    assert.deepEqual(listed(report), ['npm:@babel/core 7.0.0', 'npm:lodash 4.17.20'])
    const { source, evidence, name } = entryOf(report, 'npm:lodash')
    assert.deepEqual([source, evidence, name], ['import', 'app/package-lock.json', 'lodash'])
  })

  it('takes a plain list without a file name, and gives back what names nothing', async () => {
    const { importing } = await monitor()
    const answer = await importing({ content: 'nginx 1.27.4\nwhatever this is\nnpm:lodash@4.17.20\n' })
    assert.deepEqual(importIn(answer), {
      file: 'software list',
      format: 'plain',
      imported: 2,
      unrecognized: ['whatever this is'],
    })
    assert.equal(entryOf(reportIn(answer), 'nginx').evidence, 'software list')
  })

  it('replaces what the same label added, and nothing else', async () => {
    const { importing, report } = await monitor()
    await importing({ content: 'nginx 1.26.0\nphp 8.2.1', name: 'Server' })
    await importing({ content: 'redis 7.2.1' })
    await importing({ content: 'nginx 1.27.4\nmariadb 11.4.2', name: 'Server' })
    assert.deepEqual(listed(await report()), ['mariadb 11.4.2', 'nginx 1.27.4', 'redis 7.2.1'])
  })

  it('keeps an entry whose version changes, ignored or not, and its findings as told', async () => {
    await publish(database, { id: 'CVE-2026-3001', product: 'npm:kept', stretches: [{ fixed: '2.0.0' }] })
    const { id, importing, report } = await monitor()
    const first = reportIn(await importing({ content: 'npm:kept 1.0.0\nnginx 1.26.0' }))
    await compare(database)
    const entry = entryOf(first, 'nginx')
    await api.request('PATCH', `/monitors/${id}/software/${entry.id}`, { body: { ignored: true } })
    const finding = findingIn(await report(), 'CVE-2026-3001')
    await importing({ content: 'npm:kept 1.1.0\nnginx 1.27.0' })
    await compare(database)
    const second = await report()
    assert.deepEqual([entryOf(second, 'nginx').id, entryOf(second, 'nginx').ignored], [entry.id, true])
    assert.deepEqual([findingIn(second, 'CVE-2026-3001').id, found(second)], [finding.id, ['CVE-2026-3001']])
    await importing({ content: 'npm:kept 2.0.0' })
    await compare(database)
    assert.deepEqual(found(await report()), [])
  })

  it('has each product and version once, and none without a version where one has it', async () => {
    const { importing } = await monitor()
    const answer = await importing({ content: 'nginx\nnginx 1.26.0\nnginx 1.27.0\nnginx 1.26.0\nredis' })
    assert.deepEqual(
      [listed(reportIn(answer)), importIn(answer).imported],
      [['nginx 1.26.0', 'nginx 1.27.0', 'redis'], 3],
    )
  })

  it('may name the same as another import, and is removed alone', async () => {
    const { importing, removing } = await monitor()
    await importing({ content: 'nginx 1.26.0', name: 'One' })
    await importing({ content: 'nginx 1.26.0\nredis 7.2.1', name: 'Two & more' })
    assert.deepEqual(listed(reportIn(await removing('Two & more'))), ['nginx 1.26.0'])
    assert.deepEqual(refusalOf(await removing('Two & more')), [404, 'not_found'])
    assert.deepEqual(refusalOf(await removing()), [422, 'validation_failed', 'file'])
  })

  for (const [filename, content] of [
    ['package.json', '{"dependencies":{"lodash":"4.17.20"}}'],
    ['package-lock.json', lockOf({ lodash: '4.17.20' })],
    ['yarn.lock', 'lodash@^4.0.0:\n  version "4.17.20"\n'],
    ['pnpm-lock.yaml', "lockfileVersion: '9.0'\npackages:\n  lodash@4.17.20: {}\n"],
    ['composer.json', '{"require":{"monolog/monolog":"2.0.0"}}'],
    ['composer.lock', '{"packages":[{"name":"monolog/monolog","version":"2.0.0"}],"packages-dev":[]}'],
    ['requirements.txt', 'django==4.2.1\n'],
    ['Pipfile.lock', '{"_meta":{},"default":{"django":{"version":"==4.2.1"}},"develop":{}}'],
    ['poetry.lock', '[[package]]\nname = "django"\nversion = "4.2.1"\n'],
    ['Gemfile.lock', 'GEM\n  remote: https://rubygems.org/\n  specs:\n    rack (2.2.3)\n\nDEPENDENCIES\n  rack\n'],
    ['go.mod', 'module example.com/a\n\nrequire golang.org/x/net v0.1.0\n'],
    ['Cargo.lock', '[[package]]\nname = "time"\nversion = "0.1.0"\nsource = "registry+https://example.com/index"\n'],
    [
      'pom.xml',
      '<project><dependencies><dependency><groupId>a</groupId><artifactId>b</artifactId><version>1.0</version></dependency></dependencies></project>',
    ],
    ['Shop.csproj', '<Project><ItemGroup><PackageReference Include="A.B" Version="1.0.0"/></ItemGroup></Project>'],
    ['Dockerfile', 'FROM nginx:1.27.4\n'],
    ['docker-compose.yml', 'services:\n  web:\n    image: nginx:1.27.4\n'],
    ['.nvmrc', 'v20.11.0\n'],
    ['.tool-versions', 'nodejs 20.11.0\n'],
  ] as const)
    it(`is read from ${filename}`, async () => {
      const { importing } = await monitor()
      assert.equal(importIn(await importing({ content, filename })).imported, 1)
    })

  for (const [body, refusal] of [
    [{ content: '{', filename: 'package-lock.json' }, [422, 'validation_failed', 'content']],
    [{ content: 'x', filename: 'setup.py' }, [422, 'unrecognized_format', 'filename']],
    [{ filename: 'package.json' }, [422, 'validation_failed', 'content']],
    [{ content: 5 }, [422, 'validation_failed', 'content']],
    [{ content: 'nginx', name: '' }, [422, 'validation_failed', 'name']],
    [{ content: 'nginx', name: 'x'.repeat(161) }, [422, 'validation_failed', 'name']],
    [{ content: 'nginx', filename: 'x'.repeat(256) }, [422, 'validation_failed', 'filename']],
    [{ content: 'nginx', format: 'plain' }, [422, 'validation_failed', 'format']],
  ] as const)
    it(`is refused as ${JSON.stringify(body).slice(0, 60)}`, async () => {
      const { importing, report } = await monitor()
      assert.deepEqual(refusalOf(await importing(body)), refusal)
      assert.deepEqual(listed(await report()), [])
    })

  it('takes 5,000,000 characters, however they are written, and no more', async () => {
    const { id, importing } = await monitor()
    const longest = `nginx 1.0\n${'#'.repeat(5_000_000 - 10)}`
    assert.equal(longest.length, 5_000_000)
    assert.equal(importIn(await importing({ content: longest })).imported, 1)
    const escaped = `{"content":"nginx 1.0\\n${'\\u0023'.repeat(5_000_000 - 10)}"}`
    const written = await api.request('POST', `/monitors/${id}/software/import`, { rawBody: escaped })
    assert.equal(importIn(written).imported, 1)
    assert.deepEqual(refusalOf(await importing({ content: `${longest}#` })), [422, 'validation_failed', 'content'])
  })

  it('is refused where a monitor would have too much', async () => {
    const { importing } = await monitor()
    assert.equal(importIn(await importing({ content: listOf('a', 30_000), name: 'a' })).imported, 30_000)
    const tooMany = { content: listOf('b', 20_001), name: 'b' }
    assert.deepEqual(refusalOf(await importing(tooMany)), [422, 'limit_reached', 'content'])
    assert.equal(importIn(await importing({ content: listOf('b', 20_000), name: 'a' })).imported, 20_000)
  })
})

describe('an import of a file that names nothing', async () => {
  const api = await testApi({ maxConnections: 5 })
  const monitor = (): Promise<Imported> => importedAt(api)

  const noManifests: [what: string, content: string][] = [
    ['empty', ''],
    ['white space', ' \r\n\n'],
    ['a page', '<!doctype html>\n<html><body>\n<p>404 Not Found</p>\nnginx 1.27.4\n</body></html>\n'],
    ['the text of a server', '404: Not Found'],
    ['the word and the number of a server', 'Error 404'],
    ['the JSON of a server', '{"message":"Not Found","status":"404"}'],
    ['other JSON of a server', '{"type":"about:blank","title":"Not Found","status":404}'],
    ['the JSON of a server with a name', '{"name":"NotFound","message":"Page not found","code":404}'],
    ['an object', '{}'],
  ]
  for (const [what, content] of noManifests)
    it(`is refused as any kind of file where it is ${what}, and leaves what was there`, async () => {
      const { importing, report } = await monitor()
      await importing({ content: 'npm:kept 1.0.0', name: 'Same' })
      for (const format of manifestFormats) {
        const filename = format === '.csproj' ? 'Shop.csproj' : format
        const answer = await importing({ content, filename, name: 'Same' })
        assert.deepEqual(refusalOf(answer), [422, 'validation_failed', 'content'], format)
      }
      assert.deepEqual(listed(await report()), ['npm:kept 1.0.0'])
    })

  it('is refused as a list where no line names anything, and leaves what was there', async () => {
    const { importing, report } = await monitor()
    await importing({ content: 'npm:kept 1.0.0' })
    const page = '\n<!doctype html>\n<p>Not Found</p>\nnginx 1.27.4\n</html>'
    for (const content of ['', '\n', '# nothing\n', 'whatever this is\nand this\n', '<html>Not Found</html>', page])
      assert.deepEqual(refusalOf(await importing({ content })), [422, 'validation_failed', 'content'])
    assert.deepEqual(listed(await report()), ['npm:kept 1.0.0'])
  })

  it('ends what was there where a file says that there is nothing any more', async () => {
    const { importing, report } = await monitor()
    for (const [filename, content] of [
      ['package.json', '{"name":"shop"}'],
      ['package.json', '{"name":"shop","version":"1.0.0","dependencies":{}}'],
      ['package.json', '{"private":true,"title":"Shop","status":"draft"}'],
      ['composer.json', '{"name":"acme/shop","type":"project"}'],
      ['composer.json', '{"require":{}}'],
      ['.tool-versions', '# none yet\n'],
      ['package-lock.json', '{"name":"shop","lockfileVersion":1}'],
      ['yarn.lock', '# yarn lockfile v1\n'],
      ['requirements.txt', '# nothing yet\n'],
      ['go.mod', 'module example.com/a\n'],
    ]) {
      await importing({ content: 'npm:kept 1.0.0', name: 'Same' })
      assert.equal(importIn(await importing({ content, filename, name: 'Same' })).imported, 0)
      assert.deepEqual(listed(await report()), [])
    }
  })
})

describe('imports at the same time', async () => {
  const api = await testApi({ maxConnections: 5 })

  it('are one after the other, and all is well, where the same is imported twenty times', async () => {
    const { importing, report } = await importedAt(api)
    const content = lockOf({ one: '1.0.0', two: '2.0.0', three: '3.0.0' })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => importing({ content, filename: 'package-lock.json' })),
    )
    for (const answer of answers) assert.equal(importIn(answer).imported, 3)
    assert.equal((await report()).software.length, 3)
  })

  it('are to be tried again later where they are more than are read at once, or may wait', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const readManifest = createManifestReader(async ({ format, content }) => {
      await gate
      return { type: 'read', reading: readNow(format, content, { resolve: resolveSoftware }) }
    })
    const held = await testApi({ services: { readManifest } })
    const { id } = await createMonitor(held)
    const refused: Answer[] = []
    const importing = async (): Promise<void> => {
      const answer = await held.post(`/monitors/${id}/software/import`, { content: 'nginx 1.27.4' })
      if (answer.status !== 200) refused.push(answer)
    }
    const all = Array.from({ length: 40 }, importing)
    await until('the last are refused', () => refused.length === 18)
    open()
    await Promise.all(all)
    assert.equal(refused.length, 18, 'two were read at once, and twenty waited')
    for (const answer of refused) {
      assert.deepEqual(refusalOf(answer), [503, 'unavailable'])
      assert.equal(answer.headers.get('retry-after'), '5')
    }
    assert.deepEqual(listed(reportIn(await held.get(`/monitors/${id}/vulnerabilities`))), ['nginx 1.27.4'])
  })
})

describe('reading a file', () => {
  it('ends after a while, and says so', async () => {
    const read = createManifestReader((file) => readInThread(file, { timeoutMs: 1 }))
    const outcome = await read({ format: 'plain', content: 'nginx 1.0' })
    assert.equal(outcome.type, 'failed')
  })

  it('is refused where too many wait, and possible again when they are done', async () => {
    const read = readManifestsInOne()
    const request = { format: 'plain', content: 'nginx 1.0' } as const
    const outcomes = await Promise.all(Array.from({ length: 25 }, () => read(request)))
    const count = (type: string): number => outcomes.filter((outcome) => outcome.type === type).length
    assert.deepEqual([count('read'), count('busy')], [22, 3])
    assert.equal((await read(request)).type, 'read')
    assert.deepEqual(
      await createManifestReader()(request),
      await read(request),
      'A service reads in a thread for each.',
    )
  })
})
