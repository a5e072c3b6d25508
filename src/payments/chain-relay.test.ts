// The relay on a chain that is played; test/references/chain-relay.test.ts has it on a real one.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Json } from '#store/database/schema.ts'
import { type Hex, keptAuthorizationSchema } from './chain-authorization.ts'
import type { Chain, Signed, Use } from './chain-client.ts'
import { createRelay } from './chain-relay.ts'
import type { Attempt, Settlement } from './method.ts'

const now = new Date('2026-11-21T12:00:00.000Z')
const seconds = BigInt(now.getTime() / 1000)
const payer: Hex = `0x${'a1'.repeat(20)}`
const payload = keptAuthorizationSchema.parse({
  type: 'authorization',
  from: payer,
  to: `0x${'b2'.repeat(20)}`,
  value: '30000',
  validAfter: '0',
  validBefore: String(seconds + 300n),
  nonce: `0x${'ab'.repeat(32)}`,
  signature: `0x${'cd'.repeat(65)}`,
})
const hashOf = (nonce: number): Hex => `0x${String(nonce).padStart(64, '0')}`

/** What the chain says; the head grows by a block with each look at it. */
type Scene = {
  head: bigint
  timestamp: bigint
  use: Use | null
  /** Of the transactions that were mined, by hash. */
  receipts: Map<Hex, { blockNumber: bigint; isDone: boolean }>
  mined: number
  pending: number
  maxFeePerGas: bigint
  refusal: string | null
  /** What a node does with a transaction that it gets. */
  onSend: (signed: { raw: Hex; hash: Hex }, scene: Scene) => void
}

/** The usual node takes a transaction into the next block. */
function mine({ hash }: { hash: Hex }, scene: Scene): void {
  scene.receipts.set(hash, { blockNumber: scene.head + 1n, isDone: true })
  scene.use = { hash, logIndex: 0, blockNumber: scene.head + 1n, end: 'transferred' }
  scene.mined += 1
  scene.pending = scene.mined
}

function played(changes: Partial<Scene> = {}) {
  const scene: Scene = {
    head: 5_000n,
    timestamp: seconds,
    use: null,
    receipts: new Map(),
    mined: 7,
    pending: 7,
    maxFeePerGas: 100n,
    refusal: null,
    onSend: mine,
    ...changes,
  }
  const sent: Hex[] = []
  const signed: Signed[] = []
  const searches: bigint[] = []
  const isMined = ({ use, head }: Scene): boolean => use !== null && use.blockNumber <= head
  const chain: Chain = {
    head: async () => {
      scene.head += 1n
      return { number: scene.head, timestamp: scene.timestamp }
    },
    timestampOf: async () => scene.timestamp,
    isUsed: async () => isMined(scene),
    findUse: async (_, { fromBlock }) => {
      searches.push(fromBlock)
      return isMined(scene) ? scene.use : null
    },
    receipt: async (hash) => scene.receipts.get(hash) ?? null,
    relayerNonce: async (of) => (of === 'latest' ? scene.mined : scene.pending),
    fees: async () => ({ maxFeePerGas: scene.maxFeePerGas, maxPriorityFeePerGas: 4n }),
    tryTransfer: async () => (scene.refusal === null ? { gas: 60_000n } : { refusal: scene.refusal }),
    sign: async (_, terms) => {
      const made = { ...terms, raw: `0x${terms.maxFeePerGas.toString(16)}` as const, hash: hashOf(signed.length) }
      signed.push(made)
      return made
    },
    send: async (raw) => {
      sent.push(raw)
      scene.onSend({ raw, hash: signed.at(-1)?.hash ?? hashOf(99) }, scene)
    },
  }
  return { scene, chain, sent, signed, searches }
}

type Given = { payload?: Json; notes?: Json; confirmations?: number; isTestnet?: boolean }

async function settle(
  chain: Chain,
  { confirmations = 1, isTestnet = false, ...given }: Given = {},
): Promise<{ settlement: Settlement; kept: Json[] }> {
  const attempt: Attempt = {
    id: 'attempt',
    amountCents: 3,
    externalId: 'order-1',
    description: '3 locations, 30 days',
    payload,
    notes: {},
    request: { amount: '30000', currency: 'usdc' },
    challengeId: 'challenge',
    ...given,
  }
  const kept: Json[] = []
  const relay = createRelay(
    { confirmations, isTestnet },
    async () => chain,
    () => now,
  )
  const settlement = await relay(attempt, async (notes) => void kept.push(structuredClone(notes)))
  return { settlement, kept }
}

/** Notes of one transaction, sent so many seconds ago. */
function notesOf(sentSeconds: number, nonce = 7, count = 1): Json {
  const transaction = {
    raw: '0x64',
    hash: hashOf(99),
    nonce,
    gas: '60000',
    maxFeePerGas: '100',
    maxPriorityFeePerGas: '4',
    sentAt: new Date(now.getTime() - sentSeconds * 1000).toISOString(),
  }
  return { fromBlock: '4321', transactions: Array.from({ length: count }, () => transaction) }
}

describe('an authorization', { concurrency: true }, () => {
  it('is noted, sent and settled', async () => {
    const { chain, sent, signed } = played()
    const { settlement, kept } = await settle(chain)
    assert.deepEqual(settlement, { type: 'settled', reference: hashOf(0), livemode: true })
    assert.deepEqual(sent, ['0x64'])
    assert.deepEqual([signed[0]?.nonce, signed[0]?.gas], [7, 60_000n])
    const first = { fromBlock: '3501', transactions: [] }
    const { raw, hash } = signed[0] ?? assert.fail()
    const transaction = {
      raw,
      hash,
      nonce: 7,
      gas: '60000',
      maxFeePerGas: '100',
      maxPriorityFeePerGas: '4',
      sentAt: now.toISOString(),
    }
    assert.deepEqual(kept, [first, { ...first, transactions: [transaction] }])
  })

  it('of a chain for tests is told as such', async () => {
    const { settlement } = await settle(played().chain, { isTestnet: true })
    assert.deepEqual(settlement, { type: 'settled', reference: hashOf(0), livemode: false })
  })

  it('of a young chain is looked for from its first block on', async () => {
    for (const [head, from] of [
      [20n, '0'],
      [1_499n, '0'],
      [1_500n, '1'],
    ] as const)
      assert.deepEqual((await settle(played({ head }).chain)).kept[0], { fromBlock: from, transactions: [] })
  })

  it('that was noted before is looked for from there on, and sent again', async () => {
    const { chain, sent, signed, scene } = played({ pending: 8 })
    scene.onSend = ({ hash }) => mine({ hash }, scene)
    const { settlement, kept } = await settle(chain, { notes: notesOf(10) })
    assert.deepEqual(settlement, { type: 'settled', reference: hashOf(99), livemode: true })
    assert.deepEqual([sent, signed, kept], [['0x64'], [], []])
  })

  it('waits for its confirmations', async () => {
    const { chain, scene } = played()
    const { settlement } = await settle(chain, { confirmations: 3 })
    assert.equal(settlement.type, 'settled')
    const mined = scene.receipts.get(hashOf(0))?.blockNumber ?? assert.fail()
    assert.equal(scene.head, mined + 2n)
  })

  const uses: [end: Use['end'], expected: Settlement][] = [
    ['transferred', { type: 'settled', reference: `${hashOf(5)}:4`, livemode: true }],
    [
      'spent elsewhere',
      { type: 'declined', reason: 'The payer used the nonce of the authorization for another transfer.' },
    ],
    ['cancelled', { type: 'declined', reason: 'The payer cancelled the authorization.' }],
  ]
  for (const [end, expected] of uses)
    it(`that another account has ${end} is found`, async () => {
      const { chain, sent, searches } = played({ use: { hash: hashOf(5), logIndex: 4, blockNumber: 4_000n, end } })
      assert.deepEqual((await settle(chain)).settlement, expected)
      assert.deepEqual([sent, searches], [[], [3_501n]])
    })

  it('whose nonce was chosen does not count where it was used before', async () => {
    const use = { hash: hashOf(5), logIndex: 4, blockNumber: 4_000n, end: 'transferred' } as const
    const { settlement, kept } = await settle(played({ use }).chain, { payload: { ...payload, isNonceChosen: true } })
    assert.equal(settlement.type, 'declined')
    assert.match(settlement.type === 'declined' ? settlement.reason : '', /^The authorization was used before/)
    assert.deepEqual(kept, [])
    const fresh = await settle(played().chain, { payload: { ...payload, isNonceChosen: true } })
    assert.deepEqual([fresh.settlement.type, fresh.kept[0]], ['settled', { fromBlock: '5001', transactions: [] }])
  })
})

describe('a transfer that is not made', { concurrency: true }, () => {
  it('is declined once the authorization has ended, and not before', async () => {
    const reason = 'The authorization ended before the transfer was made.'
    const late = await settle(played({ timestamp: seconds + 300n }).chain)
    assert.deepEqual(late.settlement, { type: 'declined', reason })
    assert.equal((await settle(played({ timestamp: seconds + 299n }).chain)).settlement.type, 'settled')
  })

  it('is declined with the words of the token', async () => {
    const { chain, signed } = played({ refusal: 'the balance is too low' })
    const { settlement } = await settle(chain)
    assert.deepEqual(settlement, {
      type: 'declined',
      reason: 'The token refuses the transfer: the balance is too low.',
    })
    assert.deepEqual(signed, [])
  })

  it('is declined when the token has refused it in a block', async () => {
    const { chain } = played({
      onSend: ({ hash }, scene) => scene.receipts.set(hash, { blockNumber: scene.head + 1n, isDone: false }),
    })
    const reason = 'The token refused the transfer when it was made.'
    assert.deepEqual((await settle(chain)).settlement, { type: 'declined', reason })
  })

  it('is not made again while the block that refused it waits for others', async () => {
    const { chain, sent } = played({
      onSend: ({ hash }, scene) => {
        scene.receipts.set(hash, { blockNumber: scene.head + 1n, isDone: false })
        scene.mined += 1
      },
    })
    const reason = 'The token refused the transfer when it was made.'
    assert.deepEqual((await settle(chain, { confirmations: 3 })).settlement, { type: 'declined', reason })
    assert.equal(sent.length, 1)
  })

  it('is not made any more once the newest block is past the end', async () => {
    const { chain, sent } = played({ timestamp: seconds + 300n })
    let looks = 0
    chain.timestampOf = async () => {
      looks += 1
      return looks === 1 ? seconds + 299n : seconds + 300n
    }
    const reason = 'The authorization ended before the transfer was made.'
    assert.deepEqual((await settle(chain, { confirmations: 2 })).settlement, { type: 'declined', reason })
    assert.deepEqual(sent, [])
  })

  it('waits where the token says that another one has used it', async () => {
    const { chain, scene, signed } = played({ refusal: 'authorization is used' })
    const head = chain.head
    let looks = 0
    chain.head = () => {
      looks += 1
      if (looks === 3) scene.use = { hash: hashOf(5), logIndex: 1, blockNumber: scene.head, end: 'transferred' }
      return head()
    }
    const { settlement } = await settle(chain)
    assert.deepEqual(settlement, { type: 'settled', reference: `${hashOf(5)}:1`, livemode: true })
    assert.deepEqual(signed, [])
  })

  it('is replaced with a higher fee once it has waited for 45 seconds', async () => {
    const { chain, signed } = played({ pending: 8 })
    const { settlement, kept } = await settle(chain, { notes: notesOf(45) })
    assert.deepEqual([settlement.type, kept.length], ['settled', 1])
    const [made] = signed
    assert.deepEqual([made?.nonce, made?.gas, made?.maxFeePerGas, made?.maxPriorityFeePerGas], [7, 60_000n, 126n, 6n])
  })

  it('is replaced at the price of the day where that is higher', async () => {
    const { chain, signed } = played({ pending: 8, maxFeePerGas: 500n })
    await settle(chain, { notes: notesOf(60) })
    assert.equal(signed[0]?.maxFeePerGas, 500n)
  })

  it('gets another nonce where its own was taken', async () => {
    const { chain, signed } = played({ mined: 8, pending: 8 })
    assert.equal((await settle(chain, { notes: notesOf(10) })).settlement.type, 'settled')
    assert.equal(signed[0]?.nonce, 8)
  })

  it('is sent five times at most, and the last of them again', async () => {
    const { chain, sent, signed } = played({ pending: 8 })
    assert.equal((await settle(chain, { notes: notesOf(60, 7, 5) })).settlement.type, 'settled')
    assert.deepEqual([sent, signed], [['0x64'], []])
  })
})

describe('a chain that cannot be reached', () => {
  it('leaves it open, and is connected anew the next time', async () => {
    let calls = 0
    const { chain } = played()
    const relay = createRelay(
      { confirmations: 1, isTestnet: false },
      async () => {
        calls += 1
        if (calls === 1) throw new Error('no node')
        return chain
      },
      () => now,
    )
    const attempt: Attempt = {
      id: 'attempt',
      amountCents: 3,
      externalId: 'order-1',
      description: '',
      payload,
      notes: {},
      request: { amount: '30000', currency: 'usdc' },
      challengeId: 'challenge',
    }
    assert.deepEqual(await relay(attempt, keepNothing), { type: 'unknown', reason: 'no node' })
    assert.equal((await relay(attempt, keepNothing)).type, 'settled')
    assert.equal((await relay(attempt, keepNothing)).type, 'settled')
    assert.equal(calls, 2)
  })
})

async function keepNothing(): Promise<void> {}
