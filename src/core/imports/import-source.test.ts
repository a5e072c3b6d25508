import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { withVariables } from '#core/imports/gatus/gatus-variables.ts'
import { guessSource } from './import-source.ts'

describe('the source of an import', () => {
  const cases: [file: string, text: string | null, source: string | null][] = [
    ['kuma.db', null, 'kuma'],
    ['backup.json', '{"version":"1.23","notificationList":[],"monitorList":[]}', 'kuma'],
    ['checks.json', '{\n  "checks": []}', 'healthchecks'],
    ['one.json', '{"stat":"ok","pagination":{},"monitors":[]}', 'uptimerobot'],
    ['many.json', '[{"stat":"ok","monitors":[]}]', 'uptimerobot'],
    ['visit.har', '{\n  "log": {"version": "1.2", "entries": []}}', 'har'],
    [
      'shop.postman_collection.json',
      '{"info":{"schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}}',
      'postman',
    ],
    ['api.json', '{"info":{},"openapi":"3.1.0","monitors":[]}', 'openapi'],
    ['api.yaml', 'info: {}\nopenapi: 3.0.3\nmodules:\n', 'openapi'],
    ['old.json', '{"swagger": "2.0"}', 'openapi'],
    ['other.json', '{"a":1}', null],
    ['a.csv', 'Id;Type;URL\n', 'uptimerobot'],
    ['a.yaml', 'ui: {}\nendpoints:\n', 'gatus'],
    ['a.yaml', 'external-endpoints: []', 'gatus'],
    ['a.yml', 'scrape_configs:\n', 'blackbox'],
    ['a.yml', '- targets: [a]\n', null],
    ['a.yml', 'x:\n  endpoints:\n', null],
    ['a', '\uFEFF <urlset/>', 'list'],
    ['a.txt', 'example.com\n', 'list'],
  ]
  for (const [file, text, source] of cases)
    it(`of ${file} with ${JSON.stringify(text)} is ${source}`, () =>
      assert.equal(guessSource([text === null ? { file, text, path: file } : { file, text }]), source))

  it('is that of the first file that tells', () => {
    const files = ['- targets: [a]\n', 'modules: {}\n'].map((text) => ({ file: 'a.yml', text }))
    assert.equal(guessSource(files), 'blackbox')
  })

  it('is looked for in time, whatever a file holds', () => {
    const piece = fc.constantFrom(
      '{',
      ' ',
      '"monitorList"',
      '"checks"',
      '"monitors"',
      '"openapi"',
      '"log"',
      'openapi:',
      'url',
      'type',
      ',',
      '\n',
      '[',
    )
    fc.assert(
      fc.property(piece, piece, (one, other) => {
        const startedMs = performance.now()
        guessSource([{ file: 'a.json', text: one.repeat(50_000) + other.repeat(50_000) }])
        assert.ok(performance.now() - startedMs < 2_000)
      }),
      { numRuns: 60 },
    )
  })
})

describe('variables in the configuration of Gatus', () => {
  const variables: Record<string, string> = { HOST: 'example.com', a1: 'x' }
  const find = (name: string): string | null => variables[name] ?? null
  const cases = [
    ['https://${HOST}/$HOST', 'https://example.com/example.com'],
    ['$HOSTS ${GONE} $$HOST $$$a1', '$HOSTS ${GONE} $HOST $x'],
    ['${a-b} $1 $', '${a-b} $1 $'],
  ]
  for (const [text = '', expected] of cases)
    it(`are filled in: ${text}`, () => assert.equal(withVariables(text, find), expected))
})
