// The store as a process reaches it: over a connection that is slow, breaks, and breaks after the work was done.
import type { CallStore } from '#store/call-store.ts'
import type { DeliveryStore } from '#store/delivery-store.ts'
import type { EngineStore } from '#store/engine-store.ts'
import type { ReleaseStore } from '#store/release-store.ts'
import { type Context, way } from './context.ts'
import { modelCallStore } from './model-calls.ts'
import { ModelTransaction } from './model-database.ts'
import { modelDeliveryStore, modelDeliveryTransaction } from './model-delivery-store.ts'
import { modelEngineStore } from './model-engine-store.ts'
import { modelEngineTransaction } from './model-engine-transaction.ts'
import { modelReleaseTransaction } from './model-maintenance.ts'
import type { Process } from './virtual-time.ts'

/** The database notices after this time, at the latest, that a client is gone. */
const noticedMs = 10_000

export function wireEngineStore(context: Context, process: Process): EngineStore {
  return {
    ...overWire(modelEngineStore(context.database), context, process),
    transaction: transactionsOf(context, process, modelEngineTransaction),
  }
}

export function wireDeliveryStore(context: Context, process: Process): DeliveryStore {
  return {
    ...overWire(modelDeliveryStore(context.database), context, process),
    transaction: transactionsOf(context, process, modelDeliveryTransaction),
  }
}

export function wireCallStore(context: Context, process: Process): CallStore {
  return overWire(modelCallStore(context.database), context, process)
}

export function wireReleaseStore(context: Context, process: Process): ReleaseStore {
  return { transaction: transactionsOf(context, process, modelReleaseTransaction) }
}

type Statement = (...values: unknown[]) => unknown

/** The same functions, each of which travels there and back. */
function overWire<Store extends object>(store: Store, context: Context, process: Process): Store {
  const functions = Object.entries(store).map(([name, run]: [string, Statement]) => {
    const travelling = async (...values: unknown[]): Promise<unknown> =>
      isWithoutStatement(name, values)
        ? run(...values)
        : travel(context, process, { name, work: async () => run(...values) })
    return [name, travelling] as const
  })
  return Object.assign({ ...store }, Object.fromEntries(functions))
}

/** Nothing is sent for empty lists, nor to count the software of monitors that have none. */
function isWithoutStatement(name: string, values: readonly unknown[]): boolean {
  return name === 'withSoftwareCounts' || (values.length > 0 && values.every(isEmpty))
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every(Array.isArray) &&
    Object.values(value).every(isEmpty)
  )
}

type Travel = { name: string; work: () => Promise<unknown> }

async function travel(context: Context, process: Process, { name, work }: Travel): Promise<unknown> {
  const { mischief, trace } = context
  await way(context, process)
  if (await crashes(context, process, name)) return new Promise(() => {})
  if (mischief.strikes('refused')) {
    trace.say(`${process.name} ${name}: refused`)
    throw new Error('The connection was refused.')
  }
  const answer = await work()
  trace.say(`${process.name} ${name}`)
  if (await crashes(context, process, name)) return new Promise(() => {})
  if (mischief.strikes('unanswered')) {
    trace.say(`${process.name} ${name}: no answer`)
    throw new Error('The connection broke.')
  }
  await way(context, process)
  return answer
}

async function crashes({ mischief, trace, crash }: Context, process: Process, name: string): Promise<boolean> {
  if (!mischief.strikes('crash')) return process.isDead
  trace.say(`${process.name} crashes at ${name}`)
  crash(process)
  return true
}

/** Transactions whose statements travel, as the commit does. What the process leaves open ends some time later. */
function transactionsOf<Within extends object>(
  context: Context,
  process: Process,
  within: (tx: ModelTransaction) => Within,
): <T>(work: (tx: Within) => Promise<T>) => Promise<T> {
  const attempt = async <T>(work: (tx: Within) => Promise<T>): Promise<{ done: T } | null> => {
    const { database, virtual, random, mischief, watchdogs } = context
    await way(context, process)
    const tx = new ModelTransaction(database)
    const forget = process.onDeath(() => virtual.after(random.within(0, noticedMs), () => tx.rollBack()))
    try {
      const done = await work(overWire(within(tx), context, process))
      if (mischief.strikes('conflict')) return null
      await travel(context, process, {
        name: 'commit',
        work: async () => {
          tx.commit()
          watchdogs.committed(tx, process.name)
        },
      })
      return { done }
    } finally {
      tx.rollBack()
      forget()
    }
  }
  return async (work) => {
    for (;;) {
      const ended = await attempt(work)
      if (ended !== null) return ended.done
      context.trace.say(`${process.name} tries a transaction again`)
    }
  }
}
