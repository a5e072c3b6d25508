import { contactTraitsOf } from '#core/contacts/contact-kinds.ts'
import { linkIdOf, unsubscribeUrl } from '#contacts/links.ts'
import type { MailMessage } from '#contacts/message.ts'
import { renewalUncoveredMail, unpaidPausedMail } from '#contacts/mails/renewal-mails.ts'
import type { Notice, RenewalReader } from '#core/contacts/notice.ts'
import { noticeDays, noticeOf, noticedUntil, planRenewals, renewalCents } from '#core/money/renewal.ts'
import { findLinkedContact } from '#store/contacts/contact-states.ts'
import type { Transaction } from '#store/database/database.ts'
import { findMember } from '#store/people/members.ts'
import { enqueueNotices } from '#store/contacts/notices.ts'
import { listReaders, listUntold, noteTold, readEnding, readPaused } from '#store/money/renewal-notices.ts'
import { holdEnding } from '#store/money/renewals.ts'
import { eachPage } from '#jobs/runner/each-page.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'

const workspacesAtOnce = 1_000
const [firstDay] = noticeDays

/**
 * Tells workspaces 7, 3, 1 and 0 days before that their credit does not cover the monitors whose period ends
 * (docs/decisions/plans-and-periods.md), in one mail for all monitors. Returns how many workspaces were told; one without
 * owners and mail contacts is told nothing.
 */
export async function tellUncovered(
  { database, log }: Pick<JobParts, 'database' | 'log'>,
  { at, signal }: { at: Date; signal: AbortSignal },
): Promise<number> {
  const occasions = noticeDays.map((day) => ({ day, until: noticedUntil(day, at) }))
  let told = 0
  await eachPage(
    {
      list: (after) => listUntold(database, { occasions, after, limit: workspacesAtOnce }),
      idOf: (workspaceId) => workspaceId,
      limit: workspacesAtOnce,
      split: (workspaceIds) => workspaceIds.map((workspaceId) => [workspaceId]),
      work: async ([workspaceId = '']) => {
        if (await database.transaction((tx) => tellWorkspace(tx, workspaceId, at))) told += 1
      },
      onFailure: (workspaceId, error) =>
        log.warn('A workspace could not be notified of its renewals.', { workspace_id: workspaceId, error }),
    },
    signal,
  )
  return told
}

/** Noted and told in one transaction, so that a process that dies loses and repeats nothing. */
async function tellWorkspace(tx: Transaction, workspaceId: string, at: Date): Promise<boolean> {
  const [held] = await holdEnding(tx, { workspaceIds: [workspaceId], until: noticedUntil(firstDay, at) })
  if (held === undefined) return false
  const { uncovered } = planRenewals(held.creditCents, held.ending)
  const untold = uncovered.flatMap((monitor) => {
    const day = noticeOf(monitor.paidUntil, at)
    return day === null || (monitor.notice !== null && monitor.notice <= day) ? [] : [{ monitor, day }]
  })
  if (untold.length === 0) return false
  await noteTold(tx, untold)
  const readers = await listReaders(tx, workspaceId)
  await enqueueNotices(
    tx,
    readers.map((reader) => ({ notice: 'renewal_uncovered', workspace_id: workspaceId, reader })),
  )
  return readers.length > 0
}

type RenewalNotice = Extract<Notice, { reader: RenewalReader }>

/**
 * Composed when the mail leaves, from what is true then. Null when there is nothing to say any more, or no reader left.
 */
export async function composeRenewalNotice(notice: RenewalNotice, parts: JobParts): Promise<MailMessage | null> {
  const { database, publicUrl, now } = parts
  const { workspace_id: workspaceId } = notice
  const address = await addressOf(notice, parts)
  if (address === null) return null
  const reader = { ...address, publicUrl }
  if (notice.notice === 'unpaid_paused') {
    const found = await readPaused(database, workspaceId)
    if (found === null || found.paused.length === 0) return null
    return unpaidPausedMail(reader, { workspace: found.name, monitors: found.paused })
  }
  const at = now()
  const found = await readEnding(database, { workspaceId, until: noticedUntil(firstDay, at) })
  if (found === null) return null
  const { name: workspace, creditCents, ending } = found
  const { uncovered: monitors } = planRenewals(creditCents, ending)
  if (monitors.length === 0) return null
  const dueCents = ending.reduce((sum, { locations }) => sum + renewalCents(locations), 0)
  return renewalUncoveredMail(reader, { workspace, monitors, creditCents, missingCents: dueCents - creditCents, at })
}

/** Null for who is no owner any more, and for contacts that have unsubscribed. */
async function addressOf(
  { workspace_id: workspaceId, reader }: RenewalNotice,
  { database, publicUrl, secrets }: JobParts,
): Promise<{ to: string; unsubscribeUrl: string | null } | null> {
  if ('person_id' in reader) {
    const member = await findMember(database, { workspaceId, personId: reader.person_id })
    return member === null || member.role !== 'owner' ? null : { to: member.email, unsubscribeUrl: null }
  }
  const contact = await findLinkedContact(database, reader.contact_id)
  if (contact === null || contact.workspaceId !== workspaceId) return null
  if (contactTraitsOf(contact.kind)?.via !== 'mail' || !contact.isEnabled || !contact.isConfirmed) return null
  return { to: contact.destination, unsubscribeUrl: unsubscribeUrl(publicUrl, linkIdOf(contact), secrets) }
}
