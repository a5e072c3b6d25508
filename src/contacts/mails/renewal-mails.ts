import { oneLine } from '#core/language/one-line.ts'
import { pricing } from '#core/money/pricing.ts'
import { decimal, endOfGrace } from '#core/money/quote.ts'
import type { MailMessage } from '#contacts/message.ts'
import { type Fact, timeText } from '#contacts/wording/facts.ts'
import { noticeMail } from '#contacts/notices.ts'

type Unpaid = { name: string; paidUntil: Date }

type Reader = {
  to: string
  publicUrl: string
  /** Null for people, who are told for as long as they own the workspace. */
  unsubscribeUrl: string | null
}

const maxNamed = 10

/**
 * Tells that credit does not cover the renewal of these monitors, of which the first ends first
 * (docs/decisions/plans-and-periods.md, "When a paid month ends").
 */
export function renewalUncoveredMail(
  reader: Reader,
  about: { workspace: string; monitors: readonly Unpaid[]; creditCents: number; missingCents: number; at: Date },
): MailMessage {
  const { monitors, creditCents, missingCents, at } = about
  const workspace = oneLine(about.workspace)
  const overdue = monitors.filter(({ paidUntil }) => paidUntil <= at)
  const isOver = overdue.length > 0
  return noticeMail(reader.to, {
    tone: isOver ? 'bad' : 'warning',
    headline: isOver ? `Overdue: ${countOf(overdue)}` : `Not enough credit to renew ${countOf(monitors)}`,
    lead:
      `The credit of the workspace ${workspace} is not enough to renew ${countOf(monitors)}. ` +
      `Add at least $${decimal(missingCents)}, and ${itRenews(monitors)}. Checks continue for ${pricing.graceDays} days ` +
      `after the paid period ends; then monitors are paused until you renew them.`,
    facts: [
      { label: 'Workspace', value: workspace },
      { label: 'Credit', value: `$${decimal(creditCents)}` },
      { label: 'Missing', value: `$${decimal(missingCents)}` },
      ...named(monitors, (monitor) => endOf(monitor, at)),
    ],
    link: { label: 'Open Perigee', url: reader.publicUrl },
    footer: footerOf(reader),
  })
}

/** Tells that these monitors were paused, because they were not renewed. */
export function unpaidPausedMail(
  reader: Reader,
  about: { workspace: string; monitors: readonly Unpaid[] },
): MailMessage {
  const { monitors } = about
  const workspace = oneLine(about.workspace)
  return noticeMail(reader.to, {
    tone: 'bad',
    headline: `Paused for non-payment: ${countOf(monitors)}`,
    lead:
      `${countOf(monitors)} in the workspace ${workspace} ${monitors.length === 1 ? 'is' : 'are'} no longer checked, ` +
      `because the renewal was not paid. Nothing was deleted. Renew a monitor and its checks resume at once.`,
    facts: [
      { label: 'Workspace', value: workspace },
      ...named(monitors, ({ paidUntil }) => `paid until ${timeText(paidUntil.toISOString())}`),
    ],
    link: { label: 'Open Perigee', url: reader.publicUrl },
    footer: footerOf(reader),
  })
}

function countOf({ length }: readonly Unpaid[]): string {
  return length === 1 ? '1 monitor' : `${length} monitors`
}

function itRenews({ length }: readonly Unpaid[]): string {
  return length === 1 ? 'it renews automatically' : 'they renew automatically'
}

function endOf({ paidUntil }: Unpaid, at: Date): string {
  return paidUntil > at
    ? `paid until ${timeText(paidUntil.toISOString())}`
    : `overdue, will be paused at ${timeText(endOfGrace(paidUntil).toISOString())}`
}

function named(monitors: readonly Unpaid[], textOf: (monitor: Unpaid) => string): Fact[] {
  const facts = monitors.slice(0, maxNamed).map((monitor) => ({ label: oneLine(monitor.name), value: textOf(monitor) }))
  const more = monitors.length - facts.length
  return more === 0 ? facts : [...facts, { label: 'Others', value: String(more) }]
}

function footerOf({ unsubscribeUrl: url }: Reader): { text: string; label: string; url: string } | null {
  return url === null ? null : { text: 'No longer want these messages?', label: 'Unsubscribe', url }
}
