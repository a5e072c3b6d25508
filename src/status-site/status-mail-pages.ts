import { type Context, Hono } from 'hono'
import type { Texts } from '#core/language/texts.ts'
import { createPageLanguages, preferredLanguage } from '#core/status-pages/page-languages.ts'
import type { Services } from '#operations/pipeline/services.ts'
import {
  type EndOfSubscription,
  type Subscription,
  readEndLink,
  readLinkLanguage,
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
  const texts = createPageLanguages()
  /** That of the subscriber, or of the browser where the link leads to none. */
  const textsFor = async ({ req }: Context, token: string): Promise<Texts> =>
    texts((await readLinkLanguage(services, token)) ?? preferredLanguage(req.header('accept-language') ?? ''))
  const confirming = '/status-mail/confirm/:token'
  const ending = '/status-mail/unsubscribe/:token'
  pages.get(confirming, async (context) => {
    const token = context.req.param('token')
    const i18n = await textsFor(context, token)
    return answer(i18n, subscriptionPage(i18n, await readSubscriptionLink(services, { token, now: now() })))
  })
  pages.post(confirming, async (context) => {
    const token = context.req.param('token')
    const i18n = await textsFor(context, token)
    return answer(i18n, subscriptionPage(i18n, await useSubscriptionLink(services, { token, now: now() })))
  })
  pages.get(ending, async (context) => {
    const token = context.req.param('token')
    const i18n = await textsFor(context, token)
    return answer(i18n, endPage(i18n, await readEndLink(services, token)))
  })
  pages.post(ending, async (context) => {
    const token = context.req.param('token')
    // Before the subscriber is gone.
    const i18n = await textsFor(context, token)
    return answer(i18n, endPage(i18n, await useEndLink(services, token)))
  })
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
      const text = i18n._('Updates of the status page will be sent to {address}. Each has a link to unsubscribe.', {
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
      const text = i18n._('Stop all updates of the status page to {address}?', { address: end.destination })
      return { status: 200, page: { title, text, button: title } }
    }
  }
}
