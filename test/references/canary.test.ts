// The canary as the real program: its wallet buys from a seller that verifies and settles with the public library of
// x402, on a chain of its own.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { decodePaymentSignatureHeader, encodePaymentRequiredHeader, encodePaymentResponseHeader } from '@x402/core/http'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { createWalletClient, defineChain, http, publicActions, type VerifyTypedDataParameters } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { noChain, startChain, type TestChain } from '../support/chain.ts'
import { httpServer } from '../support/http-server.ts'
import { serviceFolder } from '../support/service-folder.ts'
import { until } from '../support/until.ts'

const ownerToken = `pgk_${'a1'.repeat(20)}`
const price = 10_000n
const network = 'eip155:31337' as const

/** The library says less of it than the client wants to know. */
const typedData = z.custom<VerifyTypedDataParameters>((asked) => typeof asked === 'object')

/** A seller of one answer, which takes what the public library says it may take. */
async function startSeller(chain: TestChain) {
  const { token, recipient, rpcUrl, relayerKey } = chain.options
  const account = privateKeyToAccount(relayerKey)
  const chainOf = defineChain({
    id: 31_337,
    name: 'Test',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const client = createWalletClient({ account, chain: chainOf, transport: http(rpcUrl) }).extend(publicActions)
  const signer = toFacilitatorEvmSigner({
    address: account.address,
    readContract: (asked) => client.readContract(asked),
    verifyTypedData: (asked) => client.verifyTypedData(typedData.parse(asked)),
    writeContract: (asked) => client.writeContract(asked),
    sendTransaction: (asked) => client.sendTransaction(asked),
    waitForTransactionReceipt: (asked) => client.waitForTransactionReceipt(asked),
    getCode: (asked) => client.getCode(asked),
  })
  const scheme = new ExactEvmScheme(signer)
  const requirements = {
    scheme: 'exact',
    network,
    amount: String(price),
    asset: token.address,
    payTo: recipient,
    maxTimeoutSeconds: 300,
    extra: { name: token.name, version: token.version },
  }
  const seller = { port: 0, settled: new Array<string>(), problems: new Array<string>() }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const sent = request.headers['payment-signature']?.toString()
    if (sent === undefined) {
      const resource = {
        url: `http://127.0.0.1:${seller.port}/forecast`,
        description: 'Tomorrow',
        mimeType: 'text/plain',
      }
      const required = encodePaymentRequiredHeader({
        x402Version: 2,
        error: 'Payment required',
        resource,
        accepts: [requirements],
      })
      response.writeHead(402, { 'payment-required': required }).end()
      return
    }
    const payment = decodePaymentSignatureHeader(sent)
    const verified = await scheme.verify(payment, requirements)
    if (!verified.isValid) {
      seller.problems.push(String(verified.invalidReason))
      response.writeHead(402).end()
      return
    }
    const settlement = await scheme.settle(payment, requirements)
    seller.settled.push(settlement.transaction)
    response.writeHead(200, { 'payment-response': encodePaymentResponseHeader(settlement) }).end('Sunny')
  }
  const { port } = await httpServer((request, response) => void answer(request, response))
  seller.port = port
  return seller
}

const purchasesSchema = z.object({
  data: z.array(
    z.object({
      state: z.string(),
      price: z.string().nullable(),
      transaction: z.string().nullable(),
      note: z.string().nullable(),
    }),
  ),
})

describe('a monitor that buys', { skip: noChain }, async () => {
  const chain = await startChain()
  const seller = await startSeller(chain)
  const folder = serviceFolder()
  const keyFile = join(folder.path, 'wallet.key')
  writeFileSync(keyFile, `${chain.payerKey}\n`, { mode: 0o644 })
  const { token, recipient } = chain.options
  const tokens = [{ network, asset: token.address, name: token.name, version: token.version, day_limit: '25000' }]
  let root = ''

  async function start() {
    const service = folder.start({
      PERIGEE_OWNER_TOKEN: ownerToken,
      PERIGEE_LOCATIONS: 'l0=l0',
      PERIGEE_ALLOW_PRIVATE_TARGETS: 'true',
      PERIGEE_LOG_LEVEL: 'debug',
      PERIGEE_READS_PER_MINUTE: '5000',
      PERIGEE_CANARY_KEY_FILE: keyFile,
      PERIGEE_CANARY_TOKENS: JSON.stringify(tokens),
    })
    ;[, root = ''] = await service.printed(/Perigee is at (http:\/\/[^\s]+)/)
    return service
  }

  async function ask(method: string, path: string, body?: unknown): Promise<unknown> {
    const headers = { 'x-api-key': ownerToken, 'content-type': 'application/json' }
    const answer = await fetch(`${root}/api/v1${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    assert.ok(answer.ok, await answer.clone().text())
    return answer.json()
  }

  it('pays once, really, and never again within the hour, whatever ends and starts', async () => {
    const first = await start()
    const created = await ask('POST', '/monitors', {
      name: 'Forecast',
      kind: 'paid_endpoint',
      url: `http://127.0.0.1:${seller.port}/forecast`,
      interval_seconds: 10,
      check_options: { network, asset: token.address, payee: recipient, highest_price: String(price), buys: true },
    })
    const { id } = z.object({ data: z.object({ id: z.string() }) }).parse(created).data
    const had = await chain.balanceOf(recipient)
    first.child.kill('SIGTERM')
    await first.ended()
    const second = await start()
    const purchases = async () => purchasesSchema.parse(await ask('GET', `/monitors/${id}/purchases`)).data
    await until('it has bought', () => second.stderr().includes('A purchase has ended.'))
    assert.deepEqual(seller.problems, [])
    assert.partialDeepStrictEqual(await purchases(), [{ price: '10000', transaction: seller.settled[0], note: null }])
    assert.equal((await chain.balanceOf(recipient)) - had, price)
    second.child.kill('SIGKILL')
    await second.ended()
    const third = await start()
    await until(
      'it checks',
      async () => {
        const { data } = z
          .object({ data: z.object({ current_status: z.string() }) })
          .parse(await ask('GET', `/monitors/${id}`))
        return data.current_status === 'up'
      },
      30_000,
    )
    assert.equal((await purchases()).length, 1)
    assert.equal(seller.settled.length, 1)
    for (const { stdout, stderr } of [first, second, third])
      assert.ok(!`${stdout()}${stderr()}`.includes(chain.payerKey.slice(2)), 'no log has the key')
  })
})
