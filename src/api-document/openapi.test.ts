import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { z } from 'zod'
import { alertTypes } from '#core/contacts/alerting.ts'
import { statusMessageTypes } from '#core/status-pages/status-message.ts'
import { webhookMessage } from '#contacts/webhook.ts'
import { contactKinds } from '#contacts/index.ts'
import { kinds } from '#kinds/index.ts'
import { components } from '#operations/pipeline/named-schemas.ts'
import { operations as all } from '#operations/index.ts'
import { alertOf, bundleOf } from '../../test/support/alerts.ts'
import { member, openApiDocument } from '../../test/support/openapi.ts'
import { advertisedOffers } from '#payments/offers.ts'
import { createOpenApiSource } from './openapi.ts'
import { examples } from './openapi-examples.ts'
import { isObject } from './openapi-schemas.ts'

const document = openApiDocument(['local', 'boston'])
const context = {
  deliveryId: '7d3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
  sentAt: new Date('2026-11-27T12:00:00Z'),
  destination: 'https://alerts.example/in',
  signingSecrets: [],
  publicUrl: 'https://perigee.example',
  unsubscribeUrl: '',
}

/** Every endpoint of version 1: method, path, success, errors. An existing client relies on each of them. */
const specified = [
  ['GET', '/account', [200], [401, 429]],
  ['PUT', '/account/billing', [200], [401, 403, 422, 429]],
  ['PUT', '/monitors/{id}/imported-days', [200], [401, 403, 404, 422, 429]],
  ['GET', '/account/credit', [200], [401, 429]],
  ['GET', '/alert-channels', [200], [401, 429]],
  ['POST', '/alert-channels', [201], [401, 403, 422, 429]],
  ['DELETE', '/alert-channels/{id}', [204], [401, 403, 404, 429]],
  // The change of a contact is beyond the specification.
  ['PATCH', '/alert-channels/{id}', [200], [401, 403, 404, 422, 429]],
  // So is what templates make of an incident.
  ['POST', '/alert-channels/preview', [200], [401, 403, 404, 422, 429]],
  ['GET', '/on-call', [200], [401, 429]],
  ['GET', '/reports', [200], [401, 429]],
  ['POST', '/reports', [201], [401, 403, 422, 429]],
  ['PATCH', '/reports/{id}', [200], [401, 403, 404, 422, 429]],
  ['DELETE', '/reports/{id}', [204], [401, 403, 404, 429]],
  ['GET', '/reports/{id}/content', [200], [401, 404, 422, 429]],
  ['POST', '/reports/{id}/send', [202], [401, 403, 404, 422, 429]],
  ['GET', '/on-call-schedules', [200], [401, 429]],
  ['POST', '/on-call-schedules', [201], [401, 403, 422, 429]],
  ['GET', '/imports', [200], [401, 429]],
  ['GET', '/imports/{id}', [200], [401, 404, 429]],
  ['POST', '/imports', [201], [401, 403, 413, 415, 422, 429, 503]],
  ['POST', '/imports/{id}/continue', [200], [401, 403, 404, 422, 429, 503]],
  ['POST', '/imports/{id}/undo', [200], [401, 403, 404, 422, 429, 503]],
  ['POST', '/imports/read', [200], [401, 403, 413, 415, 422, 429, 503]],
  ['POST', '/on-call-schedules/import', [200, 201], [401, 403, 422, 429]],
  ['GET', '/on-call-schedules/{id}', [200], [401, 404, 429]],
  ['PATCH', '/on-call-schedules/{id}', [200], [401, 403, 404, 422, 429]],
  ['DELETE', '/on-call-schedules/{id}', [204], [401, 403, 404, 429]],
  ['GET', '/on-call-schedules/{id}/shifts', [200], [401, 404, 422, 429]],
  ['GET', '/on-call-schedules/{id}/overrides', [200], [401, 404, 429]],
  ['POST', '/on-call-schedules/{id}/overrides', [201], [401, 403, 404, 422, 429]],
  ['DELETE', '/on-call-schedules/{id}/overrides/{override_id}', [204], [401, 403, 404, 429]],
  ['POST', '/alert-channels/{id}/test', [200], [401, 403, 404, 422, 429]],
  ['GET', '/locations', [200], [401, 429]],
  ['GET', '/monitors', [200], [401, 429]],
  ['POST', '/monitors', [201, 200], [401, 402, 403, 422, 429]],
  ['POST', '/monitors/quote', [200], [401, 403, 422, 429]],
  ['GET', '/metrics', [200], [401, 429]],
  ['GET', '/monitors/{id}', [200], [401, 404, 429]],
  ['PATCH', '/monitors/{id}', [200], [401, 402, 403, 404, 422, 429]],
  ['DELETE', '/monitors/{id}', [204], [401, 403, 404, 429]],
  ['POST', '/monitors/{id}/quote', [200], [401, 403, 404, 422, 429]],
  ['POST', '/monitors/{id}/renew', [200], [401, 402, 403, 404, 422, 429]],
  ['POST', '/monitors/{id}/renew/quote', [200], [401, 403, 404, 422, 429]],
  ['POST', '/monitors/{id}/pause', [200], [401, 403, 404, 429]],
  ['POST', '/monitors/{id}/resume', [200], [401, 403, 404, 429]],
  ['GET', '/monitors/{id}/events', [200], [401, 404, 422, 429]],
  ['GET', '/monitors/{id}/views', [200], [401, 403, 404, 422, 429]],
  ['GET', '/monitors/{id}/purchases', [200], [401, 404, 422, 429]],
  ['GET', '/monitors/{id}/parent-proposals', [200], [401, 404, 429]],
  ['GET', '/monitors/{id}/rhythm-proposal', [200], [401, 404, 422, 429]],
  ['GET', '/monitors/{id}/results', [200], [401, 404, 429]],
  ['GET', '/monitors/{id}/result-pages', [200], [400, 401, 404, 429]],
  ['GET', '/monitors/{id}/uptime', [200], [401, 404, 422, 429]],
  ['GET', '/monitors/{id}/signed-history', [200], [401, 404, 422, 429]],
  ['GET', '/history/roots', [200], [401, 422, 429]],
  ['GET', '/incidents', [200], [401, 429]],
  ['POST', '/incidents', [201], [401, 403, 422, 429]],
  ['POST', '/incidents/{id}/resolve', [200], [401, 403, 404, 422, 429]],
  ['GET', '/incidents/{id}', [200], [401, 404, 429]],
  ['POST', '/incidents/{id}/acknowledge', [200], [401, 403, 404, 429]],
  ['GET', '/incidents/{id}/evidence', [200], [401, 403, 404, 429]],
  ['GET', '/monitors/{id}/routes', [200], [401, 403, 404, 429]],
  ['GET', '/incidents/{id}/comments', [200], [401, 404, 429]],
  ['POST', '/incidents/{id}/comments', [201], [401, 403, 404, 422, 429]],
  ['PATCH', '/incidents/{id}/comments/{comment_id}', [200], [401, 403, 404, 422, 429]],
  ['DELETE', '/incidents/{id}/comments/{comment_id}', [204], [401, 403, 404, 429]],
  ['PUT', '/incidents/{id}/assignee', [200], [401, 403, 404, 422, 429]],
  ['GET', '/monitors/{id}/vulnerabilities', [200], [401, 404, 429]],
  ['POST', '/monitors/{id}/vulnerabilities/scan', [202], [401, 402, 403, 404, 422, 429]],
  ['POST', '/monitors/{id}/vulnerabilities/{finding_id}/fixed', [200], [401, 402, 403, 404, 422, 429]],
  ['POST', '/monitors/{id}/software', [201], [401, 402, 403, 404, 422, 429]],
  ['POST', '/monitors/{id}/software/import', [200], [401, 402, 403, 404, 422, 429]],
  ['DELETE', '/monitors/{id}/software/import', [200], [401, 402, 403, 404, 422, 429]],
  ['PATCH', '/monitors/{id}/software/{software_id}', [200], [401, 402, 403, 404, 422, 429]],
  ['DELETE', '/monitors/{id}/software/{software_id}', [200], [401, 402, 403, 404, 422, 429]],
  ['GET', '/exposures', [200], [400, 401, 429]],
  ['GET', '/exposures/{id}', [200], [401, 404, 429]],
  ['POST', '/exposures/{id}/verify', [202], [401, 403, 404, 422, 429, 503]],
  ['GET', '/exposures/{id}/report', [200], [401, 404, 422, 429]],
  ['GET', '/software-catalog', [200], [401, 429]],
  ['POST', '/credits', [200], [401, 402, 403, 422, 429]],
  ['GET', '/escalation-policies', [200], [401, 429]],
  ['POST', '/escalation-policies', [201], [401, 403, 422, 429]],
  ['GET', '/escalation-policies/{id}', [200], [401, 404, 429]],
  ['PATCH', '/escalation-policies/{id}', [200], [401, 403, 404, 422, 429]],
  ['DELETE', '/escalation-policies/{id}', [204], [401, 403, 404, 429]],
  ['GET', '/slos', [200], [401, 429]],
  ['POST', '/slos', [201], [401, 403, 422, 429]],
  ['GET', '/slos/{id}', [200], [401, 404, 429]],
  ['PATCH', '/slos/{id}', [200], [401, 403, 404, 422, 429]],
  ['DELETE', '/slos/{id}', [204], [401, 403, 404, 429]],
  ['POST', '/slos/{id}/acknowledge', [200], [401, 403, 404, 429]],
  ['GET', '/payments', [200], [401, 429]],
  ['GET', '/payments/{id}', [200], [401, 404, 429]],
  ['GET', '/payments/{id}/receipt', [200], [401, 404, 429]],
  ['GET', '/export', [200], [401, 429]],
  ['GET', '/export/days', [200], [400, 401, 429]],
  ['GET', '/export/signed-history', [200], [401, 422, 429]],
  ['GET', '/status-pages', [200], [401, 429]],
  ['POST', '/status-pages', [201], [401, 403, 422, 429]],
  ['GET', '/status-pages/{id}', [200], [401, 404, 429]],
  ['PATCH', '/status-pages/{id}', [200], [401, 403, 404, 422, 429]],
  ['DELETE', '/status-pages/{id}', [204], [401, 403, 404, 429]],
  ['PUT', '/status-pages/{id}/logo', [200], [401, 403, 404, 422, 429]],
  ['DELETE', '/status-pages/{id}/logo', [204], [401, 403, 404, 429]],
  ['PUT', '/status-pages/{id}/favicon', [200], [401, 403, 404, 422, 429]],
  ['DELETE', '/status-pages/{id}/favicon', [204], [401, 403, 404, 429]],
  ['GET', '/maintenance-windows', [200], [401, 429]],
  ['POST', '/maintenance-windows', [201], [401, 403, 422, 429]],
  ['PUT', '/maintenance-windows/{id}', [200], [401, 403, 404, 422, 429]],
  ['DELETE', '/maintenance-windows/{id}', [204], [401, 403, 404, 429]],
  ['POST', '/maintenance-windows/{id}/end', [200], [401, 403, 404, 429]],
  ['POST', '/monitors/try', [200], [401, 403, 422, 429]],
  ['POST', '/monitors/{id}/try', [200], [401, 403, 404, 422, 429]],
  ['POST', '/project-objects', [200], [401, 403, 422, 429]],
  ['POST', '/export/compare-secrets', [200], [401, 403, 422, 429]],
  ['POST', '/call-addresses', [200], [401, 403, 422, 429]],
] as const
/** Statuses that every endpoint may answer besides its own; 503 when there is more to do than can be done. */
const general = [304, 400, 413, 415, 503]

/** The console's own operations are in no document. */
const operations = all.filter(({ surface }) => surface !== 'console')

describe('OpenAPI', () => {
  it('tells a directory of payable services how each paid operation is paid', () => {
    const offer = { intent: 'charge', method: 'card', amount: '50', currency: 'usd' }
    for (const { method, path, paid } of operations) {
      const described = member(document, 'paths', path, method.toLowerCase())
      if (paid !== true) assert.ok(!('x-payment-info' in described), path)
      else assert.partialDeepStrictEqual(described['x-payment-info'], { offers: [offer] }, path)
    }
    const payable = operations.filter(({ paid }) => paid === true).map(({ name }) => name)
    assert.deepEqual(payable.toSorted(), ['create_monitor', 'renew_monitor', 'top_up_credit', 'update_monitor'])
  })

  it('says which operations take callers without an account', () => {
    const open = operations.filter(({ method, path }) => {
      const { security } = member(document, 'paths', path, method.toLowerCase())
      return Array.isArray(security) && security.some((way) => isObject(way) && Object.keys(way).length === 0)
    })
    assert.deepEqual(open.map(({ name }) => name).toSorted(), ['create_monitor', 'quote_monitor'])
  })

  it('has every endpoint of the specification that is built, and no other', () => {
    const paths = operations.map(({ method, path }) => `${method} ${path}`)
    assert.deepEqual(paths.toSorted(), specified.map(([method, path]) => `${method} ${path}`).toSorted())
  })

  it('has every operation of the API and none of the console, before all that is beside the API', () => {
    const described = Object.values(member(document, 'paths'))
      .flatMap((path) => (isObject(path) ? Object.values(path) : []))
      .filter(isObject)
    const ofApi = described.filter(({ servers }) => servers === undefined)
    assert.deepEqual(
      ofApi.map(({ operationId }) => String(operationId)).toSorted(),
      operations.map(({ name }) => name).toSorted(),
    )
    assert.deepEqual(described.slice(0, ofApi.length), ofApi)
    const names = described.map(({ operationId }) => operationId)
    assert.equal(new Set(names).size, names.length)
  })

  for (const [method, path, successes, errors] of specified)
    it(`describes every status of ${method} ${path}`, () => {
      const responses = member(member(document, 'paths'), path, method.toLowerCase(), 'responses')
      for (const status of [...successes, ...errors]) assert.ok(String(status) in responses, `lacks ${status}`)
      const allowed = new Set<number>([...successes, ...errors, ...general])
      for (const status of Object.keys(responses))
        assert.ok(
          status === 'default' || allowed.has(Number(status)),
          `has ${status}, which the specification does not`,
        )
    })

  it('names the schemas of the specification and refers to them', () => {
    const schemas = member(document, 'components', 'schemas')
    for (const name of Object.keys(components)) assert.ok(name in schemas, name)
    const account = member(document, 'paths', '/account', 'get', 'responses', '200', 'content', 'application/json')
    assert.deepEqual(member(account, 'schema', 'properties')['data'], { $ref: '#/components/schemas/Account' })
  })

  it('describes what is text by its media types alone', () => {
    const content = member(document, 'paths', '/metrics', 'get', 'responses', '200', 'content')
    const text = { schema: { type: 'string' } }
    assert.deepEqual(content, { 'text/plain': text, 'application/openmetrics-text': text })
  })

  it('gives examples that their own schemas accept', () => {
    const bodies = new Map(
      operations.flatMap(({ body }) => (body === undefined ? [] : [[body.schemaName, body.schema]])),
    )
    for (const [name, schema] of [...Object.entries(components), ...bodies]) {
      const example = examples[name]
      if (example === undefined) continue
      const parsed = schema.safeParse(example)
      assert.ok(parsed.success, `${name}: ${parsed.error?.message}`)
    }
  })

  it('has an example for every schema of the specification, and for nothing else', () => {
    const parts = new Set(['MonitorDetail', 'IncidentDetail', 'UptimeBar', 'Problem', 'AllTime'])
    const shown = Object.keys(components).filter((name) => !parts.has(name))
    const bodies = operations.flatMap(({ body }) => (body === undefined ? [] : [body.schemaName]))
    assert.deepEqual(Object.keys(examples).toSorted(), [...new Set([...shown, ...bodies])].toSorted())
  })

  it('says truly which answers have no `data`', () => {
    const bare = operations.filter(
      ({ success: { schema } }) => schema !== undefined && !(schema instanceof z.ZodObject && 'data' in schema.shape),
    )
    const isReport = ({ name, tag }: (typeof bare)[number]): boolean =>
      name === 'get_receipt' || tag === 'Software and vulnerabilities'
    assert.deepEqual([bare.length, bare.every(isReport)], [9, true])
    assert.match(String(member(document, 'info')['description']), /only receipts and software reports/)
  })

  it('names the header that tells of ignored parameters with every success', () => {
    for (const { method, path, success } of operations) {
      const answer = member(document, 'paths', path, method.toLowerCase(), 'responses', String(success.status))
      assert.ok('Ignored-Parameters' in member(answer, 'headers'), path)
    }
  })

  it('says of every GET, and of nothing else, that it can be asked for with a condition', () => {
    for (const { method, path, success } of operations) {
      const responses = member(document, 'paths', path, method.toLowerCase(), 'responses')
      assert.equal('304' in responses, method === 'GET', path)
      assert.equal('ETag' in member(responses, String(success.status), 'headers'), method === 'GET', path)
    }
    assert.ok('ETag' in member(document, 'components', 'responses', 'Unchanged', 'headers'))
  })

  it('says how a list is asked for, and where the next page is', () => {
    const list = member(document, 'paths', '/monitors', 'get')
    const parameters = z.array(z.looseObject({ name: z.string() })).parse(list['parameters'])
    assert.deepEqual(
      parameters.map(({ name, style }) => [name, style]),
      [
        ['status', 'form'],
        ['kind', 'form'],
        ['tag', 'form'],
        ['name', undefined],
        ['url', undefined],
        ['fields', 'form'],
        ['limit', undefined],
        ['cursor', undefined],
      ],
    )
    const answer = member(list, 'responses', '200')
    assert.ok('Link' in member(answer, 'headers'))
    assert.match(String(member(document, 'components', 'headers', 'Link')['description']), /rel="next"/)
    assert.equal('Link' in member(document, 'paths', '/locations', 'get', 'responses', '200', 'headers'), false)
  })

  it('describes what a webhook is sent', () => {
    for (const [name, message] of [
      ['alert', 'AlertMessage'],
      ['status', 'StatusMessage'],
    ] as const) {
      const post = member(document, 'webhooks', name, 'post')
      const schema = member(post, 'requestBody', 'content', 'application/json', 'schema')
      assert.deepEqual(schema, { $ref: `#/components/schemas/${message}` })
    }
    const types = ['StatusAlert', 'SloAlert', 'BundleAlert'].map(
      (name) => member(document, 'components', 'schemas', name, 'properties', 'type')['enum'],
    )
    assert.deepEqual(types.flat().slice(-3), ['slo.burning', 'slo.recovered', 'alerts.bundle'])
  })

  it('has a webhook for every event, whose schema takes what is sent of it and nothing else', () => {
    const alerts = alertTypes.map((type) => webhookMessage(alertOf(type), context))
    const bundle = webhookMessage(bundleOf([alertOf('monitor.down')]), context)
    const sent = [...alerts, bundle].map((message) =>
      z.looseObject({ type: z.string() }).parse(JSON.parse(message.body)),
    )
    const types = [...sent.map(({ type }) => type), ...statusMessageTypes]
    assert.deepEqual(Object.keys(member(document, 'webhooks')), ['alert', 'status', ...types])
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema(document, 'document')
    for (const type of types) {
      const pointer = `document#/webhooks/${type}/post/requestBody/content/application~1json/schema`
      const takes = ajv.compile({ $ref: pointer })
      for (const message of sent) assert.equal(takes(message), message.type === type, `${type}: ${message.type}`)
    }
  })

  it('lists the codes of the locations', () => {
    assert.deepEqual(member(document, 'components', 'schemas', 'LocationCode')['enum'], ['local', 'boston'])
  })

  it('leaves answers open to new members and bodies closed to unknown ones', () => {
    assert.doesNotMatch(JSON.stringify(member(document, 'components', 'schemas', 'Account')), /additionalProperties/)
    const input = member(document, 'components', 'schemas', 'BillingDetailsInput')
    assert.equal(input['additionalProperties'], false)
  })

  it('reads the locations again once a minute', async () => {
    let at = 0
    const asked: number[] = []
    const source = createOpenApiSource({
      operations: all,
      components,
      kinds,
      contactKinds,
      paymentOffers: advertisedOffers(null),
      publicUrl: 'http://127.0.0.1:3000',
      now: () => new Date(at),
      readLocationCodes: async () => {
        asked.push(at)
        return at === 0 ? ['local'] : ['local', 'tokyo']
      },
    })
    assert.doesNotMatch(await source(), /tokyo/)
    at = 59_999
    assert.doesNotMatch(await source(), /tokyo/)
    at = 60_000
    assert.match(await source(), /tokyo/)
    assert.deepEqual(asked, [0, 60_000])
  })
})
