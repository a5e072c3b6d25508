import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { operations } from '#operations/index.ts'
import { testApi } from '../../test/support/api.ts'
import { rpc } from '../../test/support/mcp-call.ts'
import { nameProblems, requestOf } from './tool-arguments.ts'
import { inputOf } from './tool-schemas.ts'

const verbs = operations.filter((operation) => operation.actsFor === 'workspace')
const find = (name: string) => verbs.find((operation) => operation.name === name) ?? assert.fail(name)

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
