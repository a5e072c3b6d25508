import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { openApiDocument } from '../../test/support/openapi.ts'
import { clientFiles } from './client-text.ts'
import { methodName } from './method-names.ts'
import { comment, typeText } from './type-text.ts'

describe('the methods of the SDK', () => {
  for (const [operationId, path, expected] of [
    ['list_monitors', '/monitors', 'monitors.list'],
    ['pause_monitor', '/monitors/{id}/pause', 'monitors.pause'],
    ['list_monitor_events', '/monitors/{id}/events', 'monitors.listEvents'],
    ['list_results', '/monitors/{id}/results', 'monitors.listResults'],
    ['update_escalation_policy', '/escalation-policies/{id}', 'escalationPolicies.update'],
    ['preview_alert_templates', '/alert-channels/preview', 'alertChannels.previewTemplates'],
    ['top_up_credit', '/credits', 'credits.topUp'],
  ] as const)
    it(`has ${operationId} as ${expected}`, () => {
      const { group, method } = methodName({ operationId, path })
      assert.equal(`${group}.${method}`, expected)
    })

  it('are one for each operation of the document, with what it says', () => {
    const { 'client.ts': client = '' } = clientFiles(openApiDocument())
    assert.match(client, /readonly monitors: MonitorsCalls/)
    assert.match(client, /async create\(body: Types\.MonitorInput, options: CallOptions = \{\}\)/)
    assert.match(client, /takesKey: true/)
    assert.match(client, /path: `\/monitors\/\$\{encodeURIComponent\(id\)\}`/)
    assert.doesNotMatch(client, /oauth2|PingCalls/, 'what is beside the API needs no token')
  })
})

describe('the types of the SDK', () => {
  for (const [schema, expected] of [
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ type: ['string', 'null'], enum: ['a', null] }, '"a" | null'],
    [{ type: 'array', items: { type: ['integer', 'null'] } }, '(number | null)[]'],
    [{ $ref: '#/components/schemas/Monitor' }, 'Monitor'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, '{ [member: string]: string }'],
    [
      { type: 'object', properties: { a: { const: 1 }, 'b-c': {} }, required: ['a'] },
      '{\na: 1\n"b-c"?: unknown | undefined\n}',
    ],
    [{ properties: {}, required: ['url'], not: { required: ['kind'] } }, '{\nurl: unknown\nkind?: undefined\n}'],
  ] as const)
    it(`writes ${JSON.stringify(schema)}`, () => assert.equal(typeText(schema, {}), expected))

  it('stop at what they cannot say', () => {
    assert.throws(() => typeText({ allOf: [] }, {}), /allOf/)
    assert.throws(() => typeText({ $ref: 'https://a.example/' }, {}), /no schema/)
  })

  it('have comments that nothing ends early', () => assert.equal(comment('a */ b'), '/** a *\\/ b */'))
})

describe('the package of the SDK', () => {
  it('has the version of the service', () => {
    const [service, sdk] = ['package.json', 'sdk/package.json'].map((name) => JSON.parse(readFileSync(name, 'utf8')))
    assert.equal(sdk.version, service.version)
  })
})
