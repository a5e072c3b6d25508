import { Hono } from 'hono'
import type { Services } from '#operations/services.ts'
import {
  type EndOfSubscription,
  type Subscription,
  readEndLink,
  readSubscriptionLink,
  useEndLink,
  useSubscriptionLink,
} from '#operations/status-subscribing.ts'
import { type Shown, answer, unknownLink } from './contacts.ts'

/**
 * The pages behind the links in mails of status pages. Opening one changes nothing, because mail scanners open every
 * link: a button does, and for unsubscribing the mail program's own POST (RFC 8058).
 */
export function createStatusMailPages({
  services,
  now,
}: {
  services: Pick<Services, 'database' | 'secrets'>
  now: () => Date
}): Hono {
  const pages = new Hono()
  const confirming = '/status-mail/confirm/:token'
  const ending = '/status-mail/unsubscribe/:token'
  pages.get(confirming, async ({ req }) =>
    answer(subscriptionPage(await readSubscriptionLink(services, { token: req.param('token'), now: now() }))),
  )
  pages.post(confirming, async ({ req }) =>
    answer(subscriptionPage(await useSubscriptionLink(services, { token: req.param('token'), now: now() }))),
  )
  pages.get(ending, async ({ req }) => answer(endPage(await readEndLink(services, req.param('token')))))
  pages.post(ending, async ({ req }) => answer(endPage(await useEndLink(services, req.param('token')))))
  return pages
}

function subscriptionPage(subscription: Subscription): Shown {
  switch (subscription.state) {
    case 'unknown':
      return unknownLink
    case 'expired': {
      const text = 'Subscribe again on the status page, if you still want to.'
      return { status: 410, page: { title: 'This link has expired', text, button: null } }
    }
    case 'waiting': {
      const text = `Updates of the status page will be sent to ${subscription.destination}. Each has a link that ends them.`
      return { status: 200, page: { title: 'Confirm this address', text, button: 'Confirm' } }
    }
    case 'confirmed': {
      const text = `Updates of the status page are sent to ${subscription.destination}.`
      return { status: 200, page: { title: 'You are subscribed', text, button: null } }
    }
  }
}

function endPage(end: EndOfSubscription): Shown {
  switch (end.state) {
    case 'unknown':
      return unknownLink
    case 'ended': {
      const text = 'No more updates of the status page are sent to this address.'
      return { status: 200, page: { title: 'You are unsubscribed', text, button: null } }
    }
    case 'told': {
      const text = `End all updates of the status page to ${end.destination}?`
      return { status: 200, page: { title: 'Unsubscribe', text, button: 'Unsubscribe' } }
    }
  }
}
