import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { authorizationOf, payment } from '../support/chain-payment.ts'
import { noChain, startChain, type TestChain } from '../support/chain.ts'
import { httpServer } from '../support/http-server.ts'
import { until } from '../support/until.ts'
import { createChainMethod } from '#payments/chain.ts'

describe('a transfer', { skip: noChain }, async () => {
  const chain = await startChain()

  it('brings the money to the recipient, and its transaction is the reference', async () => {
    const { settle, attempt, notes } = await payment(chain)
    const [had, paid] = [await chain.balanceOf(chain.options.recipient), await chain.balanceOf(chain.payer.address)]
    const settlement = await settle()
    assert.deepEqual(settlement, { type: 'settled', reference: notes().transactions[0]?.hash, livemode: false })
    assert.equal((await chain.balanceOf(chain.options.recipient)) - had, 30_000n)
    assert.equal(paid - (await chain.balanceOf(chain.payer.address)), 30_000n)
    assert.equal(attempt.amountCents, 3)
  })

  it('is made once, however often it is asked for', async () => {
    const { settle } = await payment(chain)
    const had = await chain.balanceOf(chain.options.recipient)
    const first = await settle()
    assert.deepEqual(await settle(), first)
    assert.deepEqual(await Promise.all([settle(), settle()]), [first, first])
    assert.equal((await chain.balanceOf(chain.options.recipient)) - had, 30_000n)
  })

  it('is made for each of many payers at once, one turn of the relayer each', async () => {
    const payments = await Promise.all(Array.from({ length: 8 }, () => payment(chain)))
    const [had, relayed] = [await chain.balanceOf(chain.options.recipient), await chain.relayed()]
    const method = createChainMethod(chain.options, () => new Date())
    const settlements = await Promise.all(payments.map(({ attempt, keep }) => method.settle(attempt, keep)))
    assert.deepEqual(new Set(settlements.map(({ type }) => type)), new Set(['settled']))
    assert.equal(new Set(settlements.map((one) => (one.type === 'settled' ? one.reference : ''))).size, 8)
    assert.equal((await chain.balanceOf(chain.options.recipient)) - had, 240_000n)
    assert.equal((await chain.relayed()) - relayed, 8)
  })

  it('is settled when somebody else has submitted it, who may have done more in that transaction', async () => {
    const { settle, attempt } = await payment(chain)
    const hash = await chain.submit(authorizationOf(attempt))
    const settlement = await settle()
    assert.equal(settlement.type, 'settled')
    assert.match(settlement.type === 'settled' ? settlement.reference : '', new RegExp(`^${hash}:\\d+$`))
  })

  it('is declined when the payer has used its nonce for another transfer, which brings us nothing', async () => {
    const elsewhere = privateKeyToAccount(generatePrivateKey()).address
    for (const changes of [{ to: elsewhere }, { value: '1' }]) {
      const { settle, challenge } = await payment(chain)
      const had = await chain.balanceOf(chain.options.recipient)
      await chain.submit(await chain.authorize(challenge, changes))
      const reason = 'The payer used the nonce of the authorization for another transfer.'
      assert.deepEqual(await settle(), { type: 'declined', reason })
      assert.ok((await chain.balanceOf(chain.options.recipient)) - had < 30_000n)
    }
  })

  it('is declined when the payer has cancelled it', async () => {
    const { settle, attempt } = await payment(chain)
    await chain.cancel(authorizationOf(attempt))
    assert.deepEqual(await settle(), { type: 'declined', reason: 'The payer cancelled the authorization.' })
  })

  it('is found again after a crash between the note and the sending', async () => {
    const { attempt, settle, notes } = await payment(chain)
    const had = await chain.balanceOf(chain.options.recipient)
    const proxy = await proxyOf(chain, 'eth_sendRawTransaction', 'before')
    assert.equal((await settle({ rpcUrl: proxy.url })).type, 'unknown')
    assert.equal(notes().transactions.length, 1)
    assert.equal((await chain.balanceOf(chain.options.recipient)) - had, 0n)
    const settlement = await settle()
    assert.deepEqual(settlement, { type: 'settled', reference: notes().transactions[0]?.hash, livemode: false })
    assert.equal(attempt.challengeId.length > 0, true)
    assert.equal((await chain.balanceOf(chain.options.recipient)) - had, 30_000n)
  })

  it('is found again after the connection broke behind the sending', async () => {
    const { settle } = await payment(chain)
    const had = await chain.balanceOf(chain.options.recipient)
    const proxy = await proxyOf(chain, 'eth_sendRawTransaction', 'after')
    assert.equal((await settle({ rpcUrl: proxy.url })).type, 'unknown')
    assert.equal((await settle()).type, 'settled')
    assert.equal((await chain.balanceOf(chain.options.recipient)) - had, 30_000n)
  })

  it('is not sent before it is noted', async () => {
    const { settle } = await payment(chain)
    const relayed = await chain.relayed()
    let kept = 0
    const failing = (): Promise<void> => (kept++ === 0 ? Promise.resolve() : Promise.reject(new Error('no database')))
    assert.deepEqual(await settle({}, failing), { type: 'unknown', reason: 'no database' })
    assert.equal(await chain.relayed(), relayed)
  })

  it('is not known, and nothing of the endpoint is told, while the chain cannot be reached', async () => {
    const { settle } = await payment(chain)
    const settlement = await settle({ rpcUrl: 'http://127.0.0.1:1/secret-key' })
    assert.equal(settlement.type, 'unknown')
    assert.doesNotMatch(JSON.stringify(settlement), /secret-key/)
    assert.equal((await settle()).type, 'settled')
  })

  it('is not known while the endpoint serves another chain', async () => {
    const { settle } = await payment(chain)
    const settlement = await settle({ chainId: 1 })
    assert.match(settlement.type === 'unknown' ? settlement.reason : '', /serves chain 31337 and not 1/)
  })

  it('counts after as many blocks as the configuration says', async () => {
    const { settle } = await payment(chain)
    const settling = settle({ confirmations: 3 })
    const had = await chain.relayed()
    await until('the transfer is mined', async () => (await chain.relayed()) > had)
    await chain.mine(2)
    assert.equal((await settling).type, 'settled')
  })
})

describe('a transfer that cannot be made', { skip: noChain }, () => {
  it('is declined with the reason of the token', async () => {
    const chain = await startChain()
    const { settle } = await payment(chain)
    await chain.emptyPayer()
    const relayed = await chain.relayed()
    const settlement = await settle()
    assert.deepEqual(settlement, {
      type: 'declined',
      reason: 'The token refuses the transfer: ERC20InsufficientBalance.',
    })
    assert.equal(await chain.relayed(), relayed)
  })

  it('is declined once it is mined and was refused: the payer spent the money meanwhile', async () => {
    const chain = await startChain()
    const { settle, notes } = await payment(chain)
    await chain.setMining(false)
    const settling = settle()
    await until('the transfer is on its way', () => Promise.resolve(notes().transactions.length === 1))
    await until('the relayer waits', async () => (await chain.waiting()) === 1)
    await chain.emptyPayer()
    await chain.setMining(true)
    await chain.mine(1)
    assert.deepEqual(await settling, { type: 'declined', reason: 'The token refused the transfer when it was made.' })
    assert.equal((await settle()).type, 'declined')
  })

  it('is declined when its time is over, not before', async () => {
    const chain = await startChain()
    const { settle, notes } = await payment(chain)
    const proxy = await proxyOf(chain, 'eth_sendRawTransaction', 'before')
    assert.equal((await settle({ rpcUrl: proxy.url })).type, 'unknown')
    assert.equal(notes().transactions.length, 1)
    await chain.passTime(301)
    assert.deepEqual(await settle(), {
      type: 'declined',
      reason: 'The authorization ended before the transfer was made.',
    })
    assert.equal(await chain.balanceOf(chain.options.recipient), 0n)
  })

  it('is sent anew when another transaction of the relayer took its turn', async () => {
    const chain = await startChain()
    const { settle, notes } = await payment(chain)
    const proxy = await proxyOf(chain, 'eth_sendRawTransaction', 'before')
    assert.equal((await settle({ rpcUrl: proxy.url })).type, 'unknown')
    await chain.takeTurn(notes().transactions[0]?.nonce ?? -1)
    const settlement = await settle()
    assert.equal(notes().transactions.length, 2)
    assert.deepEqual(settlement, { type: 'settled', reference: notes().transactions[1]?.hash, livemode: false })
    assert.equal(await chain.balanceOf(chain.options.recipient), 30_000n)
  })

  it('is settled when the transaction of somebody else waits before ours', async () => {
    const chain = await startChain()
    const { settle, attempt, notes } = await payment(chain)
    await chain.setMining(false)
    const hash = await chain.submit(authorizationOf(attempt))
    const settling = settle()
    await until('we look', () => Promise.resolve(Object.keys(notes()).length > 0))
    await chain.setMining(true)
    await chain.mine(1)
    const settlement = await settling
    assert.match(settlement.type === 'settled' ? settlement.reference : '', new RegExp(`^${hash}`))
    assert.equal(await chain.balanceOf(chain.options.recipient), 30_000n)
  })

  it('takes the place of one that was given up, paid too little for, and would hold up all others', async () => {
    const chain = await startChain()
    let at = Date.now()
    const method = createChainMethod(chain.options, () => new Date(at))
    const [poor, second, third] = [await payment(chain), await payment(chain), await payment(chain)]
    await chain.setMining(false)
    const givenUp = [method.settle(poor.attempt, poor.keep), method.settle(second.attempt, second.keep)]
    await until('both wait', async () => (await chain.waiting()) === 2)
    await chain.setBaseFee(20_000_000_000n)
    at += 120_000
    await chain.mine(1)
    assert.equal(await chain.relayed(), 0)
    const settling = method.settle(third.attempt, third.keep)
    await until('the third is sent', () => Promise.resolve(third.notes().transactions.length === 1))
    assert.equal(third.notes().transactions[0]?.nonce, 0)
    await chain.setMining(true)
    await chain.mine(1)
    assert.equal((await settling).type, 'settled')
    await Promise.all(givenUp)
  })

  it('is replaced by one that pays more when it waits too long, and made once', async () => {
    const chain = await startChain()
    let at = Date.now()
    const { attempt, keep, notes } = await payment(chain)
    const method = createChainMethod(chain.options, () => new Date(at))
    await chain.setMining(false)
    const first = method.settle(attempt, keep)
    await until('the transfer waits', async () => (await chain.waiting()) === 1)
    at += 60_000
    await until('it is replaced', () => Promise.resolve(notes().transactions.length === 2))
    await until('the replacement waits in its place', async () => (await chain.waiting()) === 1)
    const [slow, quick] = notes().transactions
    assert.equal(slow?.nonce, quick?.nonce)
    assert.ok(BigInt(quick?.maxFeePerGas ?? 0) > BigInt(slow?.maxFeePerGas ?? 0))
    await chain.setMining(true)
    await chain.mine(1)
    assert.deepEqual(await first, { type: 'settled', reference: quick?.hash, livemode: false })
    assert.equal(await chain.balanceOf(chain.options.recipient), 30_000n)
  })
})

/** A proxy before the chain that breaks the connection of one method, before or after the chain has got the request. */
async function proxyOf(chain: TestChain, method: string, when: 'before' | 'after'): Promise<{ url: string }> {
  const { port } = await httpServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => void forward(Buffer.concat(chunks)))
    async function forward(body: Buffer): Promise<void> {
      const isBroken = body.includes(method)
      if (isBroken && when === 'before') return void request.socket.destroy()
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(chain.options.rpcUrl, { method: 'POST', headers, body: new Uint8Array(body) })
      const text = await answer.text()
      if (isBroken) return void request.socket.destroy()
      response.writeHead(answer.status, headers).end(text)
    }
  })
  return { url: `http://127.0.0.1:${port}` }
}
