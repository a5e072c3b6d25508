import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { httpServer } from '../../test/support/http-server.ts'
import { freePort } from '../../test/support/free-port.ts'
import { createRpc, hexSchema, quantitySchema, RpcError } from './chain-rpc.ts'

type Reply = { status?: number; body: unknown }

/** A node that gives these answers in their order, and what it was asked. */
async function node(...replies: Reply[]) {
  const asked: { body: string; authorization: string | undefined }[] = []
  const { port } = await httpServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { authorization } = request.headers
      asked.push({ body: Buffer.concat(chunks).toString(), authorization })
      const { status = 200, body } = replies[Math.min(asked.length, replies.length) - 1] ?? { body: null }
      response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
    })
  })
  return { url: `http://127.0.0.1:${port}/key`, port, asked }
}

const seven: Reply = { body: { jsonrpc: '2.0', id: 1, result: '0x7' } }
const failed = (code: number, more: object = {}): Reply => ({
  body: { jsonrpc: '2.0', id: 1, error: { code, message: 'no', ...more } },
})

describe('a question to a node', () => {
  it('is JSON-RPC, and its answer is read by its schema', async () => {
    const { url, asked } = await node(seven)
    assert.equal(await createRpc(url)('eth_chainId', ['latest'], quantitySchema), 7n)
    assert.deepEqual(JSON.parse(asked[0]?.body ?? ''), {
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_chainId',
      params: ['latest'],
    })
    await assert.rejects(
      createRpc(url)(
        'eth_chainId',
        [],
        hexSchema.nullable().refine((value) => value === null),
      ),
    )
  })

  for (const [given, user] of [
    ['us%40er:pass@', 'us@er:pass'],
    ['user@', 'user:'],
    [':pass@', ':pass'],
    ['', null],
  ] as const)
    it(`carries "${given}" of the address in a header`, async () => {
      const { port, asked } = await node(seven)
      await createRpc(`http://${given}127.0.0.1:${port}/`)('eth_chainId', [], quantitySchema)
      const header = user === null ? undefined : `Basic ${Buffer.from(user).toString('base64')}`
      assert.equal(asked[0]?.authorization, header)
    })

  const passing: [what: string, reply: Reply][] = [
    ...[403, 408, 500, 503, 504].map((status): [string, Reply] => [`status ${status}`, { status, body: 'no' }]),
    ['what providers say for a limit', failed(-32_007)],
    ['a limit of HTTP', { status: 429, body: 'slow down' }],
    ['a gateway without its node', { status: 502, body: '<html>' }],
    ['an internal error', failed(-32_603)],
    ['a limit of the provider', failed(-32_005)],
    ['half an answer', { body: '{"jsonrpc":' }],
    ['an answer beyond 4 MB', { body: `"${'x'.repeat(5_000_000)}"` }],
  ]
  for (const [what, reply] of passing)
    it(`is asked once more after ${what}, and then no more`, async () => {
      const once = await node(reply, seven)
      assert.equal(await createRpc(once.url)('eth_chainId', [], quantitySchema), 7n)
      const never = await node(reply)
      await assert.rejects(createRpc(never.url)('eth_chainId', [], quantitySchema))
      assert.equal(never.asked.length, 2)
    })

  it('is not asked again where the node knows the answer, whatever the status', async () => {
    const bodies: Reply[] = [
      failed(3, { data: '0x08c379a0' }),
      { ...failed(3, { data: { data: '0x08c379a0' } }), status: 400 },
    ]
    for (const reply of bodies) {
      const { url, asked } = await node(reply)
      const error = await createRpc(url)('eth_call', [], hexSchema).catch((failure: unknown) => failure)
      assert.ok(error instanceof RpcError)
      assert.deepEqual([error.code, error.message, error.revertData], [3, 'no', '0x08c379a0'])
      assert.equal(asked.length, 1)
    }
    const { url, asked } = await node({ status: 404, body: 'nothing here' })
    await assert.rejects(
      createRpc(url)('eth_call', [], hexSchema),
      /^Error: The chain's endpoint answered eth_call with status 404\.$/,
    )
    assert.equal(asked.length, 1)
    const { url: refusing, asked: refused } = await node({ ...seven, status: 400 })
    await assert.rejects(createRpc(refusing)('eth_call', [], hexSchema), /status 400/)
    assert.equal(refused.length, 1)
  })

  it('takes an answer of 4 MiB', async () => {
    const start = '{"result":"0x'
    const whole = `${start}${'0'.repeat(4 * 1024 ** 2 - start.length - 2)}"}`
    const { url, asked } = await node({ body: whole })
    assert.equal((await createRpc(url)('eth_call', [], hexSchema)).length, whole.length - start.length)
    const { url: longer } = await node({ body: whole.replace('0x', '0x0') })
    await assert.rejects(createRpc(longer)('eth_call', [], hexSchema))
    assert.equal(asked.length, 1)
  })

  for (const value of ['0x', '0xaB', null, 7, 'ab', '0xg', '0x1\n2', ['0x1']])
    it(`${JSON.stringify(value)} is ${value === '0x' || value === '0xaB' ? 'bytes' : 'none'}`, () =>
      assert.equal(hexSchema.safeParse(value).success, value === '0x' || value === '0xaB'))

  it('fails in words that do not have the address, which may hold a key', async () => {
    const rpc = createRpc(`http://127.0.0.1:${await freePort()}/secret-key`)
    await assert.rejects(
      rpc('eth_chainId', [], quantitySchema),
      /^Error: The chain's endpoint did not answer eth_chainId\.$/,
    )
  })

  it('shows no more than 500 letters of an error', async () => {
    const { url } = await node(failed(-32_000, { message: 'x'.repeat(10_000) }))
    await assert.rejects(createRpc(url)('eth_call', [], hexSchema), ({ message }: Error) => message.length === 500)
  })
})
