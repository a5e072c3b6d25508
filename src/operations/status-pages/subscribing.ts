import { randomUUID } from 'node:crypto'
import { addressProblem, mailboxOf } from '#contacts/email.ts'
import { readEndOfSubscription, readSubscription } from '#contacts/status-links.ts'
import type { PageLanguage } from '#core/status-pages/page-languages.ts'
import { statusLimits, subscriptionDays } from '#core/status-pages/status-page.ts'
import { dayMs } from '#core/language/utc-day.ts'
import { forgiveConfirmationMails, takeConfirmationMail } from '#store/contacts/confirmation-mails.ts'
import type { Transaction } from '#store/database/database.ts'
import { enqueueNotices } from '#store/contacts/notices.ts'
import {
  type Subscriber,
  addSubscriber,
  confirmSubscriber,
  deleteSubscriber,
  findLinkedSubscriber,
  isSubscriptionOpen,
} from '#store/status-pages/subscribers.ts'
import type { Services } from '#operations/pipeline/services.ts'
import type { PublicPage } from './public-page.ts'

type Parts = Pick<Services, 'database' | 'secrets'>

/** Who asks for mails, in the language in which the page was read. */
type Reader = Pick<Subscriber, 'language' | 'timeZone'> & { address: string }

/**
 * Sends a mail that asks the reader of an address for consent. The visitor learns nothing: not whether the address is
 * subscribed, nor whether it got too many such mails, nor whether the page has too many subscribers. Returns what is
 * wrong with the address, or null.
 */
export async function subscribe(
  { database }: Pick<Services, 'database'>,
  { page, reader, now }: { page: PublicPage; reader: Reader; now: Date },
): Promise<string | null> {
  const destination = reader.address.trim()
  const problem = addressProblem(destination)
  if (problem !== null) return problem
  await database.transaction((tx) => ask(tx, { page, reader: { ...reader, address: destination }, now }))
  return null
}

async function ask(
  tx: Transaction,
  { page, reader, now }: { page: PublicPage; reader: Reader; now: Date },
): Promise<void> {
  const { address: destination, language, timeZone } = reader
  const added = await addSubscriber(
    tx,
    {
      id: randomUUID(),
      pageId: page.id,
      kind: 'email',
      destination,
      signingSecret: null,
      language,
      timeZone,
      confirmedAt: null,
      expiresAt: new Date(now.getTime() + subscriptionDays * dayMs),
      createdAt: now,
    },
    statusLimits.subscribers,
  )
  if (added.outcome === 'full' || added.subscriber.confirmedAt !== null) return
  // Not counted for the workspace, because readers of its page must not use up what its members may send.
  const nextAt = await takeConfirmationMail(tx, { subject: { mailbox: mailboxOf(destination) }, now })
  if (nextAt !== null) {
    if (added.outcome === 'added') await deleteSubscriber(tx, added.subscriber.id)
    return
  }
  await enqueueNotices(tx, [{ notice: 'confirm_subscription', subscriber_id: added.subscriber.id }])
}

/** The language of the subscriber to whom a link was sent; null where there is none any more. */
export async function readLinkLanguage({ database, secrets }: Parts, token: string): Promise<PageLanguage | null> {
  const id = readSubscription(token, secrets) ?? readEndOfSubscription(token, secrets)
  const subscriber = id === null ? null : await findLinkedSubscriber(database, id)
  return subscriber?.language ?? null
}

/** The state of a link. `unknown`: we did not make it, or its subscriber is gone. */
export type Subscription = { state: 'unknown' } | { state: 'expired' | 'waiting' | 'confirmed'; destination: string }

export async function readSubscriptionLink(
  { database, secrets }: Parts,
  { token, now }: { token: string; now: Date },
): Promise<Subscription> {
  const id = readSubscription(token, secrets)
  const subscriber = id === null ? null : await findLinkedSubscriber(database, id)
  if (subscriber === null) return { state: 'unknown' }
  const { destination } = subscriber
  if (subscriber.confirmedAt !== null) return { state: 'confirmed', destination }
  const isWaiting = await isSubscriptionOpen(database, { id: subscriber.id, now })
  return { state: isWaiting ? 'waiting' : 'expired', destination }
}

/** Confirms the subscription, if the link still waits, and returns the link's state after that. */
export async function useSubscriptionLink(parts: Parts, link: { token: string; now: Date }): Promise<Subscription> {
  const id = readSubscription(link.token, parts.secrets)
  if (id !== null) await parts.database.transaction((tx) => confirm(tx, { id, now: link.now }))
  return readSubscriptionLink(parts, link)
}

async function confirm(tx: Transaction, { id, now }: { id: string; now: Date }): Promise<void> {
  if (!(await confirmSubscriber(tx, { id, now }))) return
  const subscriber = await findLinkedSubscriber(tx, id)
  // A reader who agreed may get such mails again, so the count begins anew.
  if (subscriber !== null) await forgiveConfirmationMails(tx, { mailbox: mailboxOf(subscriber.destination) })
}

/** A subscriber who was removed before counts as `ended`. */
export type EndOfSubscription = { state: 'unknown' | 'ended' } | { state: 'told'; destination: string }

export async function readEndLink({ database, secrets }: Parts, token: string): Promise<EndOfSubscription> {
  const id = readEndOfSubscription(token, secrets)
  if (id === null) return { state: 'unknown' }
  const subscriber = await findLinkedSubscriber(database, id)
  return subscriber === null ? { state: 'ended' } : { state: 'told', destination: subscriber.destination }
}

/** Calling it again changes nothing. */
export async function useEndLink({ database, secrets }: Parts, token: string): Promise<EndOfSubscription> {
  const id = readEndOfSubscription(token, secrets)
  if (id === null) return { state: 'unknown' }
  await deleteSubscriber(database, id)
  return { state: 'ended' }
}
