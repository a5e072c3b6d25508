// The events that can happen to money, for fast-check to put in any order.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { z } from 'zod'
import { quoteSchema } from '#core/money/payment-required.ts'
import { readCredit } from '#store/money/credit.ts'
import { countMonitorsByBilling } from '#store/workspaces/workspaces.ts'
import { type Behaviour, behaviours } from './bank.ts'
import { auditBooks, auditCharges } from './books.ts'
import { type Payer, type Wish, askAgain, isNameless, isRepeatable, repeat, step } from './wishes.ts'
import { type World, places, slots } from './world.ts'

type Command = fc.AsyncCommand<Payer, World>
type Run = (payer: Payer, world: World) => Promise<void>

const minute = 60_000
const day = 24 * 3_600_000

/**
 * The number of messages to or from the database until the service dies; null when it lives. Most crashes come while it
 * works.
 */
const deaths = fc.option(fc.nat(60), { freq: 2 })
const copies = fc.constantFrom(1, 1, 1, 2, 3)
/** Further challenges of the same wish that are answered at once with the first. */
const rivals = fc.constantFrom(0, 0, 0, 1, 2)
const somewhere = fc.integer({ min: 1, max: places.length }).map((count) => places.slice(0, count))
const means = fc.record({
  method: fc.constantFrom('card' as const, 'chain' as const, 'x402' as const),
  behaviour: fc.constantFrom<Behaviour>('good', 'good', ...behaviours),
})

const create = fc
  .record({
    isStranger: fc.boolean(),
    hasKey: fc.boolean(),
    locations: somewhere,
    period: fc.constantFrom('monthly', 'lifetime'),
    means,
    rivals,
    copies,
    deaths,
  })
  .map((given) =>
    command('create', given, async (payer, world) => {
      const { isStranger, hasKey, locations, period } = given
      const name = `wish ${payer.wishes.length}`
      const body = { name, url: 'https://example.com', interval_seconds: 300, billing_period: period, locations }
      // Without an account the payment is the key; with one nothing else tells a repeat from another wish.
      const key = hasKey || !isStranger ? { key: name } : {}
      const request = { path: '/monitors', body, token: isStranger ? null : world.api.token, ...key }
      await begin(world, payer, { kind: 'create', request, ...given })
    }),
  )

const change = fc.record({ pick: fc.nat(20), locations: somewhere, means, rivals, copies, deaths }).map((given) =>
  command('change', given, async (payer, world) => {
    const monitor = pickOf(payer.monitors, given.pick)
    if (monitor === null) return
    const { id, name, token } = monitor
    const body = { name, locations: given.locations }
    const request = { method: 'PATCH', path: `/monitors/${id}`, body, token } as const
    await begin(world, payer, { kind: 'change', request, ...given })
  }),
)

const renew = fc.record({ pick: fc.nat(20), means, rivals, copies, deaths }).map((given) =>
  command('renew', given, async (payer, world) => {
    const monitor = pickOf(payer.monitors, given.pick)
    if (monitor === null) return
    const request = { path: `/monitors/${monitor.id}/renew`, token: monitor.token }
    await begin(world, payer, { kind: 'renew', request, ...given })
  }),
)

const topUp = fc.record({ cents: fc.integer({ min: 50, max: 60 }), means, rivals, copies, deaths }).map((given) =>
  command('top up', given, async (payer, world) => {
    const request = { path: '/credits', body: { amount_cents: given.cents }, token: world.api.token }
    await begin(world, payer, { kind: 'top_up', request, ...given })
  }),
)

/** Goes on with what was begun: two wishes at once, of which one may be the other. */
const goOn = fc.record({ one: fc.nat(20), other: fc.nat(20), copies, deaths }).map((given) =>
  command('go on', given, async (payer, world) => {
    const open = payer.wishes.filter((wish) => !wish.isDone && isRepeatable(wish, world.now()))
    const wishes = new Set([pickOf(open, given.one), pickOf(open, given.other)])
    const steps = [...wishes].filter((wish) => wish !== null)
    await world.mortal(given.deaths, async () => {
      await Promise.all(steps.map((wish) => step(world, payer, { wish, copies: given.copies })))
    })
  }),
)

const again = fc.record({ pick: fc.nat(20) }).map((given) =>
  command('again', given, async (payer, world) => {
    const done = payer.wishes.filter((wish) => wish.isDone && isRepeatable(wish, world.now()))
    const wish = pickOf(done, given.pick)
    if (wish !== null) await world.mortal(null, () => repeat(world, payer, wish))
  }),
)

const quote = fc.record({ locations: somewhere, period: fc.constantFrom('monthly', 'lifetime') }).map((given) =>
  command('quote', given, async (_payer, world) => {
    const { locations, period } = given
    const body = { name: 'Quote', url: 'https://example.com', interval_seconds: 300, billing_period: period, locations }
    const answer = await world.api.post('/monitors/quote', body)
    assert.equal(answer.status, 200, answer.text)
    const credit = await readCredit(world.database, world.api.workspaceId)
    const isFree = (await slotsUsed(world)) < slots
    const price = isFree ? 0 : locations.length * (period === 'lifetime' ? 10 : 1)
    const { data } = z.object({ data: quoteSchema }).parse(answer.body)
    const { payment_methods: methods = [], ...priced } = data
    const due = Math.max(0, price - credit)
    for (const { amount_cents: charged, stays_as_credit_cents: kept } of methods) assert.equal(charged - kept, due)
    assert.equal(methods.length > 0, due > 0)
    assert.deepEqual(priced, {
      billing: isFree ? 'plan' : 'paid',
      billing_period: isFree ? null : period,
      locations,
      price_cents: price,
      credit_cents: credit,
      amount_due_cents: due,
    })
  }),
)

const remove = fc.record({ pick: fc.nat(20), deaths }).map((given) =>
  command('delete', given, async (payer, world) => {
    const monitor = pickOf(payer.monitors, given.pick)
    if (monitor === null) return
    await world.mortal(given.deaths, async () => {
      const { status } = await world.api.request('DELETE', `/monitors/${monitor.id}`, { token: monitor.token })
      assert.ok([204, 404, 401].includes(status) || world.isDead(), `delete: ${status}`)
    })
  }),
)

const claim = fc.record({ pick: fc.nat(20), deaths }).map((given) =>
  command('claim', given, async (payer, world) => {
    const monitor = pickOf(
      payer.monitors.filter(({ workspaceId }) => workspaceId !== null),
      given.pick,
    )
    if (monitor === null || monitor.workspaceId === null) return
    const { workspaceId, token } = monitor
    await world.mortal(given.deaths, () => world.claim(workspaceId))
    // The claim moves the monitor to the owner's workspace, and the same request in another workspace is another wish.
    for (const wish of payer.wishes) if (wish.kind !== 'create' && wish.request.token === token) wish.isOver = true
  }),
)

const wait = fc.record({ ms: fc.constantFrom(minute, 6 * minute, 25 * 60 * minute) }).map((given) =>
  command('wait', given, async (_payer, world) => {
    world.pass(given.ms)
  }),
)

/** Periods end, and the job finds them: the first look may be its last. */
const later = fc.record({ days: fc.constantFrom(8, 30, 30, 38), deaths }).map((given) =>
  command('later', given, async (_payer, world) => {
    world.pass(given.days * day)
    await world.mortal(given.deaths, world.hourly)
    world.pass(60 * minute)
    await world.mortal(null, world.hourly)
  }),
)

const hourly = fc
  .record({ deaths })
  .map((given) => command('hour', given, (_payer, world) => world.mortal(given.deaths, world.hourly)))

const sweep = fc
  .record({ deaths })
  .map((given) => command('sweep', given, (_payer, world) => world.mortal(given.deaths, world.sweep)))

export const commands = fc.commands(
  [
    create,
    create,
    create,
    change,
    change,
    renew,
    renew,
    renew,
    topUp,
    goOn,
    goOn,
    again,
    again,
    quote,
    remove,
    claim,
    wait,
    wait,
    hourly,
    later,
    sweep,
  ],
  { size: 'medium', maxCommands: 40 },
)

/**
 * Lets everything that is open come to its end, as it would: payers go on asking, the sweep goes on. Then nothing may be
 * missing and nothing too much.
 */
export async function settleUp(payer: Payer, world: World): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const open = payer.wishes.filter((wish) => !wish.isDone && isRepeatable(wish, world.now()))
    // Twice, for a challenge is answered at once or never.
    for (const wish of [...open, ...open])
      if (!wish.isDone) await world.mortal(null, () => step(world, payer, { wish, copies: 1 }))
    world.pass(30 * minute)
    await world.mortal(null, world.sweep)
  }
  for (const wish of payer.wishes)
    if (isRepeatable(wish, world.now()) && wish.behaviour !== 'declined')
      assert.ok(wish.isDone, `${wish.kind} was never fulfilled`)
  await audit(world, payer)
  for (const wish of payer.wishes)
    if (isRepeatable(wish, world.now())) await world.mortal(null, () => repeat(world, payer, wish))
  await audit(world, payer)
}

async function audit({ database, bank }: World, { wishes }: Payer): Promise<void> {
  const made = wishes.filter(({ kind }) => kind === 'create')
  const wished = Map.groupBy(made, ({ request }) => z.object({ name: z.string() }).parse(request.body).name)
  await auditBooks(database, { slots, wished: (name) => wished.get(name)?.length ?? 0 })
  const theirs = made.flatMap(({ request, answered }) => (isNameless(request) ? (answered?.monitorId ?? []) : []))
  assert.equal(new Set(theirs).size, theirs.length, 'what one stranger paid for and another was given')
  await auditCharges(database, bank.charges())
  const tokens = bank.charges().map(({ token }) => token)
  assert.equal(new Set(tokens).size, tokens.length, 'tokens that were charged twice')
}

/** A challenge, a payment that is lost, one that is not, and credit that others have spent meanwhile. */
const rounds = 5

type Begun = Pick<Wish, 'kind' | 'request'> & {
  means: Pick<Wish, 'method' | 'behaviour'>
  rivals: number
  copies: number
  deaths: number | null
}

/**
 * Asks for the first time, and answers the challenge: the second request is the one that may die. Rivals are the same
 * payer, who asks again; but where nothing tells one from another they are strangers who want the same, each for oneself.
 */
async function begin(world: World, payer: Payer, begun: Begun): Promise<void> {
  const { kind, request, rivals: others } = begun
  const areStrangers = isNameless(request)
  const wishes = Array.from({ length: areStrangers ? 1 + others : 1 }, () => newWish(world, begun))
  payer.wishes.push(...wishes)
  for (const wish of wishes) await world.mortal(null, () => step(world, payer, { wish, copies: 1 }))
  const open = wishes.filter(({ isDone, isOver }) => !isDone && !isOver)
  if (!areStrangers)
    for (const wish of open)
      for (let rival = 0; rival < others; rival += 1) await world.mortal(null, () => askAgain(world, payer, wish))
  await world.mortal(begun.deaths, async () => {
    await Promise.all(open.map((wish) => step(world, payer, { wish, copies: begun.copies })))
  })
  for (const { tokens } of wishes) {
    const charged = world.bank.charges().filter(({ token }) => tokens.has(token))
    assert.ok(charged.length <= 1, `one ${kind} was charged ${charged.length} times`)
  }
}

function newWish(world: World, { kind, request, means: how }: Begun): Wish {
  return {
    kind,
    request,
    ...how,
    credentials: [],
    tokens: new Set(),
    askedAt: world.now(),
    answered: null,
    isDone: false,
    receipt: null,
    isOver: false,
  }
}

async function slotsUsed({ database, api }: World): Promise<number> {
  return (await countMonitorsByBilling(database, api.workspaceId)).plan
}

function pickOf<T>(items: readonly T[], pick: number): T | null {
  return items[pick % Math.max(1, items.length)] ?? null
}

function command(name: string, given: unknown, run: Run): Command {
  return { check: () => true, run, toString: () => `${name} ${fc.stringify(given)}` }
}
