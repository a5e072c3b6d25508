import type { ClaimedDelivery } from '#store/contacts/delivery-attempts.ts'
import type { DeliveryStore, DeliveryTransaction } from '#store/delivery-store.ts'
import { followersOf, isBusy, isClaimable, nudge } from './model-alerts.ts'
import { type ContactRow, type DeliveryRow, type ModelDatabase, ModelTransaction } from './model-database.ts'
import { notModelled } from './not-modelled.ts'

/** What `createDeliveryStore` does on PostgreSQL, for contacts without rules that bundle nothing. */
export function modelDeliveryStore(database: ModelDatabase): DeliveryStore {
  const { deliveries, deliveryLocks, contacts } = database

  /** Runs a statement about one delivery once no transaction has it. */
  async function alone<T>(id: string, statement: () => T): Promise<T> {
    const owner = {}
    await deliveryLocks.take([id], owner)
    try {
      return statement()
    } finally {
      deliveryLocks.release(owner)
    }
  }

  return {
    transaction: async (work) => {
      const tx = new ModelTransaction(database)
      try {
        const done = await work(modelDeliveryTransaction(tx))
        tx.commit()
        return done
      } finally {
        tx.rollBack()
      }
    },
    claimDelivery: (id) =>
      alone(id, () => {
        const delivery = deliveries.get(id)
        const contact = contacts.get(delivery?.contactId ?? '')
        if (delivery === undefined || contact === undefined) return null
        if (!isClaimable(database, delivery) || isBusy(database, contact.id)) return null
        delivery.claimedMs = database.nowMs()
        delivery.attempt += 1
        return claimOf(delivery, contact, database.nowMs())
      }),
    handBackDelivery: ({ id, attempt }) =>
      alone(id, () => {
        const delivery = deliveries.get(id)
        if (delivery?.state !== 'pending' || delivery.attempt !== attempt) return
        delivery.attempt -= 1
        delivery.claimedMs = null
      }),
    placeInBundle: async () => notModelled('a bundle'),
    nudgeDeliveries: async (ids) => nudge(database, ids),
    nudgeFollowers: async (of) => nudge(database, followersOf(database, of)),
  }
}

function claimOf(delivery: DeliveryRow, contact: ContactRow, nowMs: number): ClaimedDelivery {
  const { id, workspaceId, alert, attempt, createdMs } = delivery
  const { failingSinceMs, isEnabled, name, kind } = contact
  return {
    id,
    workspaceId,
    alert,
    attempt,
    ageMs: nowMs - createdMs,
    rules: { contact: null, monitor: null },
    isInMaintenance: false,
    leavesAlone: false,
    followsBundle: false,
    members: 0,
    earlier: null,
    contact: {
      id: contact.id,
      name,
      kind,
      destination: 'https://alerts.example/in',
      addressNumber: 0,
      sealedDestination: null,
      options: {},
      sealedOptions: null,
      templates: null,
      signingSecrets: [],
      isEnabled,
      failingForMs: failingSinceMs === null ? 0 : nowMs - failingSinceMs,
    },
  }
}

export function modelDeliveryTransaction(tx: ModelTransaction): DeliveryTransaction {
  const { database } = tx

  /** The delivery while this claim is the last one of it, kept from others until the end of the transaction. */
  async function claimed({ id, attempt }: { id: string; attempt: number }): Promise<DeliveryRow | null> {
    await tx.lockDelivery(id)
    const delivery = database.deliveries.get(id)
    return delivery?.state === 'pending' && delivery.attempt === attempt ? delivery : null
  }

  return {
    endDelivery: async (claim, { state, error, event }) => {
      const delivery = await claimed(claim)
      if (delivery === null) return false
      tx.atCommit(() => {
        Object.assign(delivery, { state, error, endedMs: tx.nowMs, claimedMs: null })
        const { incidentId } = delivery
        const { type, message } = event
        if (incidentId !== null) database.events.push({ incidentId, type, message, atMs: tx.nowMs })
      })
      return true
    },
    postponeDelivery: async (claim, { delayMs, error }) => {
      const delivery = await claimed(claim)
      if (delivery === null) return false
      tx.atCommit(() => Object.assign(delivery, { dueMs: tx.nowMs + delayMs, claimedMs: null, error }))
      return true
    },
    holdDelivery: async () => notModelled('a rule of a contact'),
    nudgeDeliveries: async (ids) => tx.atCommit(() => nudge(database, ids)),
    noteContactWorking: async (id) => change(id, { failingSinceMs: null }),
    noteContactFailing: async (id) => {
      if (database.contacts.get(id)?.failingSinceMs === null) change(id, { failingSinceMs: tx.nowMs })
    },
    switchContactOff: async (id) => {
      const wasOn = database.contacts.get(id)?.isEnabled === true
      if (wasOn) change(id, { isEnabled: false })
      return wasOn
    },
    recordContactChange: async () => {},
    listOtherMailContacts: async () => [],
    enqueueNotices: async () => {},
    noteTold: async () => notModelled('a finding'),
    listBundledFindings: async () => notModelled('a bundle'),
  }

  function change(id: string, to: Partial<ContactRow>): void {
    const contact = database.contacts.get(id)
    if (contact !== undefined) tx.atCommit(() => Object.assign(contact, to))
  }
}
