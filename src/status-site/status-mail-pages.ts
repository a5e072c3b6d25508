import { Hono } from 'hono'
import { type Texts, createTexts } from '#core/language/texts.ts'
import type { Services } from '#operations/pipeline/services.ts'
import {
  type EndOfSubscription,
  type Subscription,
  readEndLink,
  readSubscriptionLink,
  useEndLink,
  useSubscriptionLink,
} from '#operations/status-pages/subscribing.ts'
import { type Shown, answer, unknownLink } from '#http/contact-pages.ts'

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
  const i18n = createTexts()
  const confirming = '/status-mail/confirm/:token'
  const ending = '/status-mail/unsubscribe/:token'
  pages.get(confirming, async ({ req }) =>
    answer(
      i18n,
      subscriptionPage(i18n, await readSubscriptionLink(services, { token: req.param('token'), now: now() })),
    ),
  )
  pages.post(confirming, async ({ req }) =>
    answer(
      i18n,
      subscriptionPage(i18n, await useSubscriptionLink(services, { token: req.param('token'), now: now() })),
    ),
  )
  pages.get(ending, async ({ req }) => answer(i18n, endPage(i18n, await readEndLink(services, req.param('token')))))
  pages.post(ending, async ({ req }) => answer(i18n, endPage(i18n, await useEndLink(services, req.param('token')))))
  return pages
}

export function subscriptionPage(i18n: Texts, subscription: Subscription): Shown {
  switch (subscription.state) {
    case 'unknown':
      return unknownLink(i18n)
    case 'expired': {
      const title = i18n._('This link has expired')
      const text = i18n._('Subscribe again on the status page, if you still want to.')
      return { status: 410, page: { title, text, button: null } }
    }
    case 'waiting': {
      const { destination: address } = subscription
      const title = i18n._('Confirm this address')
      const text = i18n._('Updates of the status page will be sent to {address}. Each has a link that ends them.', {
        address,
      })
      return { status: 200, page: { title, text, button: i18n._('Confirm') } }
    }
    case 'confirmed': {
      const { destination: address } = subscription
      const title = i18n._('You are subscribed')
      const text = i18n._('Updates of the status page are sent to {address}.', { address })
      return { status: 200, page: { title, text, button: null } }
    }
  }
}

export function endPage(i18n: Texts, end: EndOfSubscription): Shown {
  switch (end.state) {
    case 'unknown':
      return unknownLink(i18n)
    case 'ended': {
      const title = i18n._('You are unsubscribed')
      const text = i18n._('No more updates of the status page are sent to this address.')
      return { status: 200, page: { title, text, button: null } }
    }
    case 'told': {
      const title = i18n._('Unsubscribe')
      const text = i18n._('End all updates of the status page to {address}?', { address: end.destination })
      return { status: 200, page: { title, text, button: title } }
    }
  }
}
