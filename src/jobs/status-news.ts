import { z } from 'zod'
import type { PageLanguage } from '#core/status-pages/page-languages.ts'
import { imagePath } from '#core/status-pages/page-image.ts'
import type { MailMessage, Message } from '#contacts/message.ts'
import { attemptTimeoutMs, sendMessage } from '#contacts/send.ts'
import { endSubscriptionUrl, subscriptionUrl } from '#contacts/status-links.ts'
import { type StatusNews, newsMail, newsWebhook, subscriptionMail } from '#contacts/mails/status-mails.ts'
import { type Told, readTold } from '#store/status-pages/page-events.ts'
import { readSlug } from '#store/status-pages/status-pages.ts'
import { deleteSubscriber, findLinkedSubscriber, noteReached, noteRefused } from '#store/status-pages/subscribers.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'

const toldSchema = z.object({ event_id: z.uuid(), subscriber_id: z.uuid() })

/**
 * Tells one subscriber of one event. Throws when it is worth another try; the queue tries again for a day. Who never
 * takes a message is removed.
 */
export async function tell(payload: unknown, parts: JobParts, stopping: AbortSignal): Promise<void> {
  const { event_id: eventId, subscriber_id: subscriberId } = toldSchema.parse(payload)
  const told = await readTold(parts.database, { eventId, subscriberId })
  if (told === null || isNobodysBusiness(told)) return
  const signal = AbortSignal.any([AbortSignal.timeout(attemptTimeoutMs), stopping])
  const attempt = await sendMessage(messageOf(told, eventId, parts), { carriers: parts.carriers, signal })
  const { database, log } = parts
  if (attempt.outcome === 'delivered') return noteReached(database, subscriberId)
  if (attempt.outcome === 'try_again') throw new Error(`A subscriber could not be told: ${attempt.error}`)
  const { isGone, error } = attempt
  const isRemoved = isGone ? await deleteSubscriber(database, subscriberId) : await noteRefused(database, subscriberId)
  log.info('A subscriber of a status page permanently refused a message.', {
    subscriber: subscriberId,
    reason: error,
    removed: isRemoved,
  })
}

/** The page shows nothing any more that the maintenance to come is about. */
function isNobodysBusiness({ type, maintenance }: Told): boolean {
  if (maintenance === null || type === 'maintenance_cancelled' || type === 'maintenance_ended') return false
  return maintenance.monitors.length === 0
}

function messageOf(told: Told, eventId: string, { secrets, publicUrl, textsIn, now }: JobParts): Message {
  const { id, kind, destination, signingSecret, language, timeZone } = told.subscriber
  const news = toNews(told, eventId, publicUrl)
  if (kind === 'email') {
    const unsubscribeUrl = endSubscriptionUrl(publicUrl, id, secrets)
    const readUrl = told.page.language === language ? news.page.url : urlIn(language, news.page.url)
    const reader = { to: destination, subscriberId: id, timeZone, readUrl }
    return newsMail(textsIn(language), news, { ...reader, publicUrl, unsubscribeUrl })
  }
  const signingSecrets =
    signingSecret === null ? [] : [secrets.decrypt(signingSecret, { column: 'status_subscribers.signing_secret', id })]
  return newsWebhook(news, { destination, signingSecrets, sentAt: now() })
}

function toNews(
  { type, at, page, logo: image, incident, post, maintenance }: Told,
  eventId: string,
  publicUrl: string,
): StatusNews {
  const { id, title } = page
  const url = pageUrl(page, publicUrl)
  const logo = image && { ...image, url: `${url}${imagePath(image)}` }
  return { eventId, type, at, page: { id, title, url }, logo, incident, post, maintenance }
}

function pageUrl({ slug, domain }: { slug: string; domain: string | null }, publicUrl: string): string {
  return domain === null ? `${publicUrl}/status/${slug}` : `https://${domain}`
}

/** The page as the subscriber reads it, where it has another language of its own. */
function urlIn(language: PageLanguage, pageAddress: string): string {
  const url = new URL(pageAddress)
  url.searchParams.set('lang', language)
  return url.href
}

/** Null when the occasion is gone: confirmed meanwhile, or removed. */
export async function composeSubscription(
  subscriberId: string,
  { database, secrets, publicUrl, textsIn }: JobParts,
): Promise<MailMessage | null> {
  const subscriber = await findLinkedSubscriber(database, subscriberId)
  if (subscriber === null || subscriber.confirmedAt !== null) return null
  const slug = await readSlug(database, subscriber.pageId)
  if (slug === null) return null
  return subscriptionMail(textsIn(subscriber.language), {
    to: subscriber.destination,
    confirmUrl: subscriptionUrl(publicUrl, subscriber.id, secrets),
    // Not the page's own domain, which it may lose before the mail is read.
    pageUrl: pageUrl({ slug, domain: null }, publicUrl),
  })
}
