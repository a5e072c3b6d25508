import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { operations } from '#operations/index.ts'
import { testApi } from '../../test/support/api.ts'
import { rpc } from '../../test/support/mcp-call.ts'
import { nameProblems, requestOf, withArgumentNames } from './tool-arguments.ts'
import { inputOf } from './tool-schemas.ts'

const verbs = operations.filter((operation) => operation.actsFor === 'workspace')
const find = (name: string) => verbs.find((operation) => operation.name === name) ?? assert.fail(name)

describe('an argument', () => {
  const texts: [value: unknown, text: string][] = [
    ['up', 'up'],
    [['up', 'down'], 'up,down'],
    [[], ''],
    [['up', 7], '["up",7]'],
    [7, '7'],
    [false, 'false'],
    [null, 'null'],
  ]
  for (const [value, text] of texts)
    it(`stands in an address as ${text} where it is ${JSON.stringify(value)}`, () =>
      assert.deepEqual(requestOf(find('list_monitors'), { status: value }).query, { status: text }))

  it('that is the key is a header, and no key is none', () => {
    const given = [{ idempotency_key: 'k' }, { idempotency_key: 7 }, {}]
    assert.deepEqual(
      given.map((each) => requestOf(find('create_monitor'), each).idempotencyKey),
      ['k', '7', null],
    )
  })

  it('may fill what the operation takes, to the byte', async () => {
    const { readBody } = requestOf(find('create_monitor'), { name: 'é' })
    const bytes = Buffer.byteLength('{"name":"é"}')
    assert.deepEqual(await readBody(bytes), { name: 'é' })
    await assert.rejects(() => readBody(bytes - 1), { message: `The arguments are larger than ${bytes - 1} bytes.` })
  })

  it('is some body where it is one, also where none is needed', async () =>
    assert.deepEqual(await requestOf(find('quote_monitor_change'), { id: 'a', name: 'B' }).readBody(100), {
      name: 'B',
    }))

  it('is unknown where the schema has none of its name, and missing where the path needs it', () => {
    const [unknown, missing] = [['Unknown argument.'], ['This field is required.']]
    const schema = { properties: { id: {}, name: {} } }
    assert.deepEqual(nameProblems(schema, find('update_monitor'), { name: 1, toString: 1 }), {
      toString: unknown,
      id: missing,
    })
    assert.deepEqual(nameProblems(schema, find('update_monitor'), { id: '' }), {})
    assert.deepEqual(nameProblems({}, find('list_monitors'), { name: 1 }), { name: unknown })
  })

  it('has its own name in a refusal', () => {
    const fields = { 'Idempotency-Key': ['Too long.'], name: ['Missing.'] }
    assert.deepEqual(withArgumentNames({ error: 'e', message: 'Send an Idempotency-Key.', fields }), {
      error: 'e',
      message: 'Send an idempotency_key.',
      fields: { idempotency_key: ['Too long.'], name: ['Missing.'] },
    })
    assert.deepEqual(withArgumentNames({ error: 'e', message: 7 }), { error: 'e', message: 7 })
    assert.equal(withArgumentNames('Idempotency-Key'), 'Idempotency-Key')
  })
})

describe('arguments', async () => {
  const api = await testApi()

  it('become the parts of a request', async () => {
    const update = requestOf(find('update_monitor'), { id: 'a', name: 'B', id2: 1 }, { payment: 'paid' })
    assert.deepEqual([update.path, update.query, update.payment], [{ id: 'a' }, {}, 'paid'])
    assert.deepEqual(await update.readBody(1000), { name: 'B', id2: 1 })
    const results = requestOf(find('list_results'), { id: 'a', limit: 5 })
    assert.deepEqual([results.path, results.query], [{ id: 'a' }, { limit: '5' }])
    const create = requestOf(find('create_monitor'), { idempotency_key: 'k', name: 'B' })
    assert.deepEqual([create.idempotencyKey, await create.readBody(1000)], ['k', { name: 'B' }])
  })

  it('that are none are no body where none is needed, and an empty one where one is', async () => {
    assert.equal(await requestOf(find('quote_monitor_change'), { id: 'a' }).readBody(10), undefined)
    assert.deepEqual(await requestOf(find('create_monitor'), {}).readBody(10), {})
  })

  it('larger than the operation takes are refused', async () => {
    const { readBody } = requestOf(find('create_monitor'), { name: 'x'.repeat(100) })
    await assert.rejects(() => readBody(100), /larger than 100 bytes/)
  })

  it('of any kind become texts, or a refusal', () => {
    fc.assert(
      fc.property(fc.constantFrom(...verbs), fc.dictionary(fc.string(), fc.jsonValue()), (operation, given) => {
        const withKnown = { id: 1, limit: null, ...given }
        const { path, query } = requestOf(operation, withKnown)
        for (const text of [...Object.values(path), ...Object.values(query)]) assert.equal(typeof text, 'string')
        const problems = nameProblems(inputOf(operation, {}), operation, withKnown)
        const left = requestOf(operation, withKnown, { problems })
        for (const name of Object.keys(problems))
          assert.ok(!Object.hasOwn(left.path, name) && !Object.hasOwn(left.query, name), name)
      }),
    )
  })

  it('and whole messages of any kind break nothing', async () => {
    const message = fc.record({
      jsonrpc: fc.constantFrom('2.0', '1.0'),
      id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
      method: fc.constantFrom('tools/call', 'tools/list', 'resources/read', 'prompts/get', 'initialize', 'x'),
      params: fc.oneof(
        fc.jsonValue(),
        fc.record({ name: fc.constantFrom('list_monitors', 'get_monitor', 'x'), arguments: fc.jsonValue() }),
        fc.record({ uri: fc.constantFrom('perigee://down', 'perigee://monitors/x', 'perigee://kinds/__proto__') }),
      ),
    })
    const body = fc.oneof(
      fc.json(),
      message.map((value) => JSON.stringify(value)),
    )
    await fc.assert(
      fc.asyncProperty(body, async (rawBody) => {
        const { status } = await rpc(api, ['x'], { rawBody })
        assert.ok(status < 500, `${status} for ${rawBody}`)
        assert.deepEqual(api.errors, [])
      }),
      { numRuns: 200 },
    )
  })
})
