import { oneLine } from '#core/language/one-line.ts'
import { confirmationDays } from '#core/contacts/notice.ts'
import type { MailMessage } from './message.ts'
import { type MailContent, mailHtml, mailText } from '#contacts/mails/mail-layout.ts'

/**
 * Asks whether alerts are wanted. It quotes nothing that the sender typed, or else anyone could send words through us.
 */
export function confirmationMail(of: { to: string; confirmUrl: string; publicUrl: string }): MailMessage {
  return noticeMail(of.to, {
    tone: 'plain',
    headline: 'Confirm that you want alerts at this address',
    lead:
      `Someone asked the uptime monitoring at ${new URL(of.publicUrl).host} to send alerts to this address. If that was ` +
      `you, confirm it within ${confirmationDays} days. If not, ignore this message and you will get no others.`,
    facts: [],
    link: { label: 'Confirm this address', url: of.confirmUrl },
    footer: null,
  })
}

/** Tells a workspace that alerts to one of its contacts have ended, which is otherwise noticed in the next outage. */
export function contactDisabledMail(of: {
  to: string
  contact: { name: string; kind: string; destination: string }
  reason: string
  publicUrl: string
  unsubscribeUrl: string
}): MailMessage {
  const name = oneLine(of.contact.name)
  return noticeMail(of.to, {
    tone: 'bad',
    headline: `Alerts to ${name} were switched off`,
    lead: `Perigee no longer sends alerts to the contact ${name}. ${of.reason}`,
    facts: [
      { label: 'Contact', value: name },
      { label: 'Kind', value: of.contact.kind },
      { label: 'Destination', value: destinationHint(of.contact) },
    ],
    link: { label: 'Open Perigee', url: of.publicUrl },
    footer: { text: 'No longer want these messages?', label: 'Unsubscribe', url: of.unsubscribeUrl },
  })
}

/**
 * Tells the operator that a location has lost its last prober. Customers are not told: nothing is known of their
 * targets.
 */
export function locationMissingMail(of: {
  to: string
  location: { code: string; name: string }
  seenAt: string
  monitors: number
  publicUrl: string
}): MailMessage {
  const name = oneLine(of.location.name)
  const { code } = of.location
  return noticeMail(of.to, {
    tone: 'bad',
    headline: `No prober left at ${name}`,
    lead:
      `The location ${name} no longer makes any checks. Monitors with other locations are still checked from there. ` +
      `Monitors with only this location are not checked at all. Only you, the operator, get this message.`,
    facts: [
      { label: 'Location', value: code },
      { label: 'Last seen', value: of.seenAt },
      { label: 'Monitors using it', value: String(of.monitors) },
    ],
    link: { label: 'Open Perigee', url: of.publicUrl },
    footer: null,
  })
}

export type NetworkTurn = {
  code: string
  name: string
  /** Null when it is back. */
  lostAt: string | null
  monitors: number
}

/** Tells the operator, once, that the checks of these locations tell nothing, or that they do again. */
export function locationNetworksMail(of: {
  to: string
  locations: readonly NetworkTurn[]
  publicUrl: string
}): MailMessage {
  const { locations } = of
  const isLost = locations.some(({ lostAt }) => lostAt !== null)
  const [only] = locations
  const who = only === undefined || locations.length > 1 ? `${locations.length} locations` : oneLine(only.name)
  const words = locations.length === 1 ? oneWords : severalWords
  return noticeMail(of.to, {
    tone: isLost ? 'bad' : 'good',
    headline: isLost ? `${who} ${words.lost}` : `${who} ${words.back}`,
    lead: isLost ? words.lostLead(who) : words.backLead(who),
    facts: locations.flatMap(networkFacts),
    link: { label: 'Open Perigee', url: of.publicUrl },
    footer: null,
  })
}

const oneWords = {
  lost: 'has lost its network',
  back: 'has its network back',
  lostLead: (who: string) =>
    `The location ${who} cannot reach anything that answered it before, so its checks say nothing about their targets. ` +
    'No incidents are opened because of it. Only you, the operator, get this message.',
  backLead: (who: string) => `What answered the location ${who} before answers it again. Its checks count again.`,
}
const severalWords = {
  lost: 'have lost their network',
  back: 'have their network back',
  lostLead: (who: string) =>
    `${who} cannot reach anything that answered them before, so their checks say nothing about their targets. ` +
    'No incidents are opened because of it. Only you, the operator, get this message.',
  backLead: (who: string) => `What answered ${who} before answers them again. Their checks count again.`,
}

function networkFacts({ code, name, lostAt, monitors }: NetworkTurn): MailContent['facts'] {
  return [
    { label: 'Location', value: `${code} (${oneLine(name)})` },
    ...(lostAt === null ? [] : [{ label: 'Without network since', value: lostAt }]),
    { label: 'Monitors using it', value: String(monitors) },
  ]
}

/** Tells the operator that nothing can be stored; a null `error`, that it can again. */
export function storingMail(of: { to: string; error: string | null; publicUrl: string }): MailMessage {
  const { host } = new URL(of.publicUrl)
  const isLost = of.error !== null
  return noticeMail(of.to, {
    tone: isLost ? 'bad' : 'good',
    headline: isLost
      ? `The database of Perigee at ${host} cannot store anything`
      : `The database of Perigee at ${host} stores data again`,
    lead: isLost
      ? 'Checks continue, but until the database can store data again, no results are kept, no incidents are opened and ' +
        'no alerts are sent. Is the disk of the database full?'
      : `Perigee at ${host} keeps its results again.`,
    facts: of.error === null ? [] : [{ label: 'Error', value: oneLine(of.error) }],
    link: { label: 'Open Perigee', url: of.publicUrl },
    footer: null,
  })
}

/** Tells the operator what `perigee status` shows, when it is new; with no troubles, that all of them are over. */
export function operatorTroublesMail(of: { to: string; troubles: readonly string[]; publicUrl: string }): MailMessage {
  const { host } = new URL(of.publicUrl)
  const isOver = of.troubles.length === 0
  return noticeMail(of.to, {
    tone: isOver ? 'good' : 'bad',
    headline: isOver ? `Perigee at ${host} is healthy again` : `Perigee at ${host} needs attention`,
    lead: isOver
      ? 'All problems that you were told about are over.'
      : 'The installation itself has had problems for two minutes. Run "perigee status" for details.',
    facts: of.troubles.map((trouble, index) => ({ label: `Problem ${index + 1}`, value: oneLine(trouble) })),
    link: { label: 'Open Perigee', url: of.publicUrl },
    footer: null,
  })
}

/** The path of a chat's webhook is its key: only the host is shown. */
function destinationHint({ kind, destination }: { kind: string; destination: string }): string {
  return kind === 'email' ? destination : new URL(destination).host
}

/** A mail of the service itself. */
export function noticeMail(to: string, content: MailContent): MailMessage {
  return {
    via: 'mail',
    to,
    subject: content.headline,
    text: mailText(content),
    html: mailHtml(content),
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(content.footer === null
        ? {}
        : { 'List-Unsubscribe': `<${content.footer.url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
  }
}
