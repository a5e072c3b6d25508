import { oneLine } from '#core/alerting.ts'
import { type PostState, type StatusEventType, subscriptionDays } from '#core/status-page.ts'
import type { HttpMessage, MailMessage, MessageContext } from './contact.ts'
import { type Fact, timeText } from './facts.ts'
import { mailHtml, mailText } from './mail-layout.ts'
import { noticeMail } from './notices.ts'
import { signedMessage } from './webhook.ts'
import { type Wording, durationText } from './wording.ts'

/** What happened on a status page, as its subscribers may know it. `url` is the page's. */
export type StatusNews = {
  eventId: string
  type: StatusEventType
  at: Date
  page: { id: string; title: string; url: string }
  incident: { id: string; name: string; startedAt: Date; resolvedAt: Date | null } | null
  post: { id: string; state: PostState | null; title: string | null; body: string; postedAt: Date } | null
}

/** Asks for leave. It quotes nothing that the page's people typed, so that nobody can send words of their own. */
export function subscriptionMail(of: { to: string; confirmUrl: string; pageUrl: string }): MailMessage {
  const { host, pathname } = new URL(of.pageUrl)
  return noticeMail(of.to, {
    tone: 'plain',
    headline: 'Confirm updates of a status page',
    lead:
      `Somebody asked to have updates of the status page ${host}${pathname} sent to this address. If that is you, confirm ` +
      `it within ${subscriptionDays} days. If not, ignore this message: nothing more will come.`,
    facts: [],
    link: { label: 'Confirm this address', url: of.confirmUrl },
    footer: null,
  })
}

/** All of an incident refer to one id, so that mail programs show them as one thread. */
export function newsMail(
  news: StatusNews,
  of: { to: string; subscriberId: string; publicUrl: string; unsubscribeUrl: string },
): MailMessage {
  const { title, url } = news.page
  const wording = wordsOf(news)
  const headline = oneLine(`${title}: ${wording.headline}`, maxSubject)
  const content = {
    ...wording,
    headline,
    link: { label: `Open ${oneLine(title)}`, url },
    footer: { text: 'No longer want these updates?', label: 'Unsubscribe', url: of.unsubscribeUrl },
  }
  const domain = new URL(of.publicUrl).hostname
  return {
    via: 'mail',
    to: of.to,
    subject: headline,
    text: mailText(content),
    html: mailHtml(content),
    headers: {
      'Message-ID': `<status-${news.eventId}-${of.subscriberId}@${domain}>`,
      ...(news.incident === null ? {} : { References: `<status-incident-${news.incident.id}@${domain}>` }),
      'List-Unsubscribe': `<${of.unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
      Precedence: 'bulk',
    },
  }
}

const maxSubject = 200
const types = {
  opened: 'status.incident_opened',
  resolved: 'status.incident_resolved',
  post: 'status.post',
} as const

/** The same as JSON, signed as webhooks of contacts are. The event's id is the message's, on every try. */
export function newsWebhook(
  news: StatusNews,
  of: Pick<MessageContext, 'destination' | 'signingSecrets' | 'sentAt'>,
): HttpMessage {
  const { eventId, type, at, page, incident, post } = news
  const data = {
    page,
    incident: incident && {
      id: incident.id,
      monitor_name: incident.name,
      started_at: incident.startedAt.toISOString(),
      resolved_at: incident.resolvedAt?.toISOString() ?? null,
    },
    post: post && {
      id: post.id,
      state: post.state,
      title: post.title,
      body: post.body,
      posted_at: post.postedAt.toISOString(),
    },
  }
  const body = JSON.stringify({ type: types[type], timestamp: at.toISOString(), data })
  return signedMessage(body, { ...of, deliveryId: eventId })
}

type Words = Pick<Wording, 'tone' | 'headline' | 'lead' | 'facts'>

const stateNames: Readonly<Record<PostState, string>> = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
}

/** No error of a check: it may hold what is nobody else's business. */
function wordsOf({ type, incident, post, at }: StatusNews): Words {
  if (post !== null) return postWords(post, incident)
  const name = oneLine(incident?.name ?? 'A system')
  const started: Fact = { label: 'Since', value: timeText((incident?.startedAt ?? at).toISOString()) }
  if (type === 'opened')
    return { tone: 'bad', headline: `${name} is down`, lead: `${name} does not work as it should.`, facts: [started] }
  const ended = incident?.resolvedAt ?? at
  const lasted = durationText(ended.getTime() - (incident?.startedAt ?? at).getTime())
  return {
    tone: 'good',
    headline: `${name} works again`,
    lead: `${name} works again.`,
    facts: [
      { label: 'From', value: started.value },
      { label: 'To', value: timeText(ended.toISOString()) },
      { label: 'It lasted', value: lasted },
    ],
  }
}

function postWords(post: NonNullable<StatusNews['post']>, incident: StatusNews['incident']): Words {
  const posted = { label: 'Posted', value: timeText(post.postedAt.toISOString()) }
  if (post.state === null || incident === null)
    return { tone: 'plain', headline: oneLine(post.title ?? 'Announcement'), lead: post.body, facts: [posted] }
  const name = oneLine(incident.name)
  const facts = [{ label: 'About', value: name }, posted]
  const tone = post.state === 'resolved' ? 'good' : 'warning'
  return { tone, headline: `${stateNames[post.state]}: ${name}`, lead: post.body, facts }
}
