// Descriptions of APIs that are there become monitors which find them right, by the schemas of their answers.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { ImportedFile } from '#core/imports/imported.ts'
import { readOpenapi } from '#core/imports/openapi/openapi.ts'
import { kinds } from '#kinds/index.ts'
import { parseTypedYaml } from '#manifests/yaml.ts'
import { settleImport } from '#operations/imports/import-project.ts'
import { listen } from '../src/http/listen.ts'
import { testApi } from './support/api.ts'
import { checkOnce } from './support/check.ts'
import { createMonitor } from './support/monitors.ts'
import { member, openApiDocument } from './support/openapi.ts'
import { sharedText, withoutSharedData } from './support/shared-data.ts'

function settled(file: ImportedFile): ImportedFile {
  return settleImport(file, { project: 'openapi', hidesSecrets: true }).file
}

describe('the description of our own API', async () => {
  const api = await testApi()
  await createMonitor(api, { name: 'Shop' })
  const service = await listen(api.app, { host: '127.0.0.1', port: 0 })
  after(() => service.close(1000))
  const own = { ...openApiDocument(), servers: [{ url: `http://127.0.0.1:${service.port}/api/v1` }] }
  const file = settled(readOpenapi([own]))
  const monitors = file.monitors.filter(({ place }) => place.startsWith('GET /'))

  it('is read whole, and each operation is there or told', () => {
    const reading = Object.entries(member(own, 'paths')).filter(([, item]) => Object(item).get !== undefined)
    const told = file.notes.filter(({ place }) => place.startsWith('GET /'))
    assert.ok(monitors.length > 30)
    assert.equal(monitors.length + new Set(told.map(({ place }) => place)).size, reading.length)
    assert.ok(monitors.filter(({ input }) => input.check_options?.['json_schema'] !== undefined).length > 30)
  })

  it('fits what the service answers', async () => {
    const right: string[] = []
    for (const { place, input } of monitors) {
      const verdict = await checkOnce(kinds.api, {
        url: input.url ?? '',
        expectedStatusMin: input.expected_status_min ?? 200,
        expectedStatusMax: input.expected_status_max ?? 299,
        requestHeaders: { 'x-api-key': api.token },
        options: kinds.api.options.parse(input.check_options ?? {}),
      })
      // Some need another workspace or more rights, and say so.
      if (verdict.statusCode !== 200) continue
      assert.deepEqual([place, verdict.error], [place, null])
      right.push(place)
    }
    assert.ok(right.length > 20, String(right.length))
  })
})

describe('the description of endoflife.date', { skip: withoutSharedData }, () => {
  it('has a monitor for each operation with examples', () => {
    // Its site puts its own address in this place.
    const text = sharedText('endoflife/api-v1-openapi.yml').replace('{{ site.url }}', 'https://endoflife.date')
    const { monitors, notes } = settled(readOpenapi(parseTypedYaml(text)))
    assert.deepEqual(
      monitors.map(({ input }) => input.url?.replace('https://endoflife.date/api/v1', '')),
      ['/', '/products', '/products/full', '/categories', '/tags', '/identifiers', '/identifiers/purl'],
    )
    assert.ok(monitors.every(({ input }) => input.check_options?.['json_schema'] !== undefined))
    assert.deepEqual(new Set(notes.map(({ message }) => message.split(',')[0])), new Set(['It needs a value']))
  })
})
