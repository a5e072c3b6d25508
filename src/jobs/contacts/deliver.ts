import type { AlertContext, AnyContactKind } from '#contacts/contact.ts'
import { acknowledgeUrl } from '#contacts/acknowledge-links.ts'
import type { findContactKind } from '#contacts/index.ts'
import { linkIdOf, unsubscribeUrl } from '#contacts/links.ts'
import { templateValues } from '#contacts/wording/template-values.ts'
import { type Attempt, attemptTimeoutMs, errorOf } from '#contacts/send.ts'
import { bundleType } from '#core/contacts/alerting.ts'
import { deliveryEvent } from '#core/contacts/delivery-events.ts'
import { type MessageWords, problemsText } from '#core/contacts/message-templates.ts'
import { joinOptions } from '#core/monitors/monitor-options.ts'
import { heldByQuietHours } from '#core/contacts/quiet-hours.ts'
import { type Decision, decideRetry, isExpired } from '#core/contacts/delivery-retry.ts'
import type { Tracer } from '#otlp/tracer.ts'
import type { ClaimedDelivery } from '#store/contacts/delivery-attempts.ts'
import { openAddress } from '#store/contacts/sealed-addresses.ts'
import { openOptions } from '#store/contacts/sealed-options.ts'
import { openSigningSecrets } from '#store/contacts/signing-secrets.ts'
import type { DeliveryStore, DeliveryTransaction } from '#store/delivery-store.ts'
import { leavesNow } from './bundling.ts'
import { traceAttempt, traceUnsent } from './delivery-traces.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'

export type DeliveryParts = Pick<
  JobParts,
  'carriers' | 'secrets' | 'renderTemplates' | 'publicUrl' | 'log' | 'observer' | 'now'
> & {
  store: DeliveryStore
  findContactKind: typeof findContactKind
  /** Default: no delivery is traced. */
  tracer?: Tracer | null
  /** Aborts after so many milliseconds. */
  timeout: (ms: number) => AbortSignal
  /** From 0 to 1. */
  random: () => number
}

/** Said of an alert that no mail server was asked to take. */
const keptError = 'This installation sends no mail. The mail is kept in the outbox.'
/** Readers told of one contact that was switched off. */
const maxReaders = 20

/**
 * One attempt of one delivery, if it may be made now. Harmless any number of times: the claim decides. `stopping`
 * aborts when this process stops; the claim is then handed back.
 */
export async function deliver(deliveryId: string, parts: DeliveryParts, stopping: AbortSignal): Promise<void> {
  const { store } = parts
  const claim = await store.claimDelivery(deliveryId)
  if (claim === null) return
  const until = heldUntil(claim, parts.now())
  if (until !== null) {
    await putOff(claim, until, parts)
    return
  }
  if (!(await leavesNow(claim, parts))) return
  const kind = parts.findContactKind(claim.contact.kind)
  const refusal = kind === null ? 'This release does not know its kind.' : refusalOf(claim)
  if (kind === null || refusal !== null) await giveUpUnsent(claim, parts, refusal ?? '')
  else await attemptDelivery({ claim, kind }, parts, stopping)
  const { id, contact, alert } = claim
  await store.nudgeFollowers({ id, contactId: contact.id, isBundle: alert.type === bundleType })
}

/** A maintenance that began while the alert waited is looked at again after this. */
const maintenanceLookMs = 60_000

/** Until when the rules of contact and monitor keep the alert back; a test is sent at any time. */
function heldUntil({ alert, rules, contact, isInMaintenance }: ClaimedDelivery, now: Date): Date | null {
  if (alert.type === 'test' || !contact.isEnabled) return null
  return heldByQuietHours(rules, now) ?? (isInMaintenance ? new Date(now.getTime() + maintenanceLookMs) : null)
}

async function putOff(claim: ClaimedDelivery, until: Date, { store, log }: DeliveryParts): Promise<void> {
  await store.transaction(async (tx) => tx.nudgeDeliveries(await tx.holdDelivery(claim, until)))
  log.debug('An alert waits for its time.', { delivery_id: claim.id, until: until.toISOString() })
}

function refusalOf({ contact, ageMs }: ClaimedDelivery): string | null {
  if (!contact.isEnabled) return 'The contact is switched off.'
  if (isExpired(ageMs)) return 'The alert could not be sent within 24 hours.'
  return null
}

async function giveUpUnsent(claim: ClaimedDelivery, parts: DeliveryParts, error: string): Promise<void> {
  const { store, log } = parts
  const event = deliveryEvent(claim.contact, { attempt: claim.attempt, error })
  await store.transaction((tx) => tx.endDelivery(claim, { state: 'failed', statusCode: null, error, event }))
  observe(claim, 'failed', parts)
  if (parts.tracer != null) traceUnsent(parts.tracer, claim, parts.now().getTime())
  log.info('An alert was not sent.', { delivery_id: claim.id, alert_channel_id: claim.contact.id, reason: error })
}

async function attemptDelivery(
  { claim, kind }: { claim: ClaimedDelivery; kind: AnyContactKind },
  parts: DeliveryParts,
  stopping: AbortSignal,
): Promise<void> {
  const { words, problem: templateProblem } = await wordsFor({ claim, kind }, parts)
  const { store } = parts
  const signal = AbortSignal.any([parts.timeout(attemptTimeoutMs), stopping])
  const context = { ...contextOf(claim, parts), ...(words === null ? {} : { words }) }
  const startMs = parts.now().getTime()
  const attempt = await kind.attempt(claim.alert, context, { carriers: parts.carriers, signal })
  if (attempt.outcome !== 'delivered' && stopping.aborted) {
    await store.handBackDelivery(claim)
    await store.nudgeDeliveries([claim.id])
    return
  }
  const endMs = parts.now().getTime()
  const decision = decideRetry(attempt, {
    via: kind.via,
    attempt: claim.attempt,
    ageMs: claim.ageMs,
    failingForMs: claim.contact.failingForMs,
    random: parts.random(),
  })
  const isWritten = await store.transaction((tx) =>
    writeOutcome(tx, claim, { attempt, decision, templateProblem, at: parts.now() }),
  )
  if (isWritten) observe(claim, decision.type === 'give_up' ? 'failed' : decision.type, parts)
  if (isWritten && parts.tracer != null) traceAttempt(parts.tracer, { claim, attempt, decision, startMs, endMs })
  report(claim, { attempt, decision, isWritten }, parts)
}

function observe(
  { contact, ageMs }: ClaimedDelivery,
  outcome: 'delivered' | 'retry' | 'failed',
  { observer, findContactKind: find }: DeliveryParts,
): void {
  // A kind of another release is not among the few that there are.
  const kind = find(contact.kind)?.name ?? 'unknown'
  observer.attempted({ kind, outcome, delaySeconds: ageMs / 1000 })
}

type Told = { words: MessageWords | null; problem: string | null }

/** What the contact's own templates make of the alert: where one fails, the built-in words take its place. */
async function wordsFor(
  { claim, kind }: { claim: ClaimedDelivery; kind: AnyContactKind },
  { renderTemplates, publicUrl, log }: DeliveryParts,
): Promise<Told> {
  const { templates, id } = claim.contact
  if (templates === null || kind.isForPrograms === true || claim.alert.type === bundleType)
    return { words: null, problem: null }
  const { words, problems } = await renderTemplates(
    { workspaceId: claim.workspaceId, contactId: id },
    templates,
    templateValues(claim.alert, publicUrl),
  )
  const problem = problemsText(problems)
  if (problem !== null) log.info('A template failed.', { delivery_id: claim.id, alert_channel_id: id, reason: problem })
  return { words, problem }
}

function contextOf(claim: ClaimedDelivery, { secrets, publicUrl, now }: DeliveryParts): AlertContext {
  const { id, contact, earlier } = claim
  const { publicOptions, secretOptions } = openOptions(contact, secrets)
  return {
    deliveryId: id,
    sentAt: now(),
    destination: openAddress(contact, secrets),
    options: joinOptions(publicOptions, secretOptions),
    signingSecrets: openSigningSecrets(contact, secrets),
    publicUrl,
    earlier,
    unsubscribeUrl: unsubscribeUrl(publicUrl, linkIdOf(contact), secrets),
    ...acknowledging(claim, { secrets, publicUrl }),
  }
}

/** A link for what asks somebody to look after it, where the contact has chosen that. */
function acknowledging(
  { alert, contact, rules }: ClaimedDelivery,
  { secrets, publicUrl }: Pick<DeliveryParts, 'secrets' | 'publicUrl'>,
): Pick<AlertContext, 'acknowledgeUrl'> {
  if (alert.type !== 'monitor.down' && alert.type !== 'monitor.reminder') return {}
  if (rules.contact?.acknowledge_link !== true) return {}
  const named = { incidentId: alert.data.incident.id, contact, alertAt: new Date(alert.timestamp) }
  return { acknowledgeUrl: acknowledgeUrl(publicUrl, named, secrets) }
}

type Outcome = { attempt: Attempt; decision: Decision }

/** The delivery's next state with what it means for its contact and its incident. False when the claim was lost. */
async function writeOutcome(
  tx: DeliveryTransaction,
  claim: ClaimedDelivery,
  { attempt, decision, templateProblem, at }: Outcome & { templateProblem: string | null; at: Date },
): Promise<boolean> {
  const { statusCode } = attempt
  const error = errorOf(attempt)
  if (decision.type === 'delivered') {
    // Without a code no server was asked: the mail is kept in the outbox, and whether any arrives is not known.
    if (statusCode !== null) await noteArrived(tx, claim)
    const event = deliveryEvent(claim.contact, {
      attempt: claim.attempt,
      error: statusCode === null ? keptError : null,
      templateProblem,
      others: Math.max(0, claim.members - 1),
    })
    const reference = attempt.outcome === 'delivered' ? (attempt.reference ?? null) : null
    const end = { state: 'delivered', statusCode, error: null, templateProblem, event, reference } as const
    return tx.endDelivery(claim, end)
  }
  if (decision.isContactFailing) await tx.noteContactFailing(claim.contact.id)
  if (decision.type === 'retry') {
    const isPostponed = await tx.postponeDelivery(claim, { delayMs: decision.delayMs, statusCode, error })
    if (isPostponed) await tx.nudgeDeliveries([claim.id])
    return isPostponed
  }
  if (decision.disables !== null) await disableContact(tx, claim, { reason: decision.disables, at })
  const event = deliveryEvent(claim.contact, { attempt: claim.attempt, error: error ?? 'It was not accepted.' })
  return tx.endDelivery(claim, { state: 'failed', statusCode, error, templateProblem, event })
}

async function noteArrived(tx: DeliveryTransaction, { id, alert, contact }: ClaimedDelivery): Promise<void> {
  await tx.noteContactWorking(contact.id)
  if (alert.type === 'vulnerability.found' || alert.type === 'end_of_life.reached') await tx.noteTold(alert)
  if (alert.type !== bundleType) return
  for (const found of await tx.listBundledFindings(id)) await tx.noteTold(found)
}

/**
 * Switches the contact off and tells the workspace's other mail contacts (docs/decisions/alerts-and-contacts.md,
 * "Retries").
 */
async function disableContact(
  tx: DeliveryTransaction,
  { workspaceId, contact: { id } }: ClaimedDelivery,
  { reason, at }: { reason: 'gone' | 'failing'; at: Date },
): Promise<void> {
  if (!(await tx.switchContactOff(id, 'service'))) return
  await tx.recordContactChange({ id, at, action: 'disable_alert_channel', actor: 'Delivery', details: { reason } })
  const readers = await tx.listOtherMailContacts({ workspaceId, id, limit: maxReaders })
  await tx.enqueueNotices(
    readers.map((readerId) => ({ notice: 'contact_disabled', contact_id: id, reader_id: readerId, reason })),
  )
}

function report(
  claim: ClaimedDelivery,
  { attempt, decision, isWritten }: Outcome & { isWritten: boolean },
  { log }: DeliveryParts,
): void {
  const details = {
    delivery_id: claim.id,
    alert_channel_id: claim.contact.id,
    attempt: claim.attempt,
    status_code: attempt.statusCode,
    reason: errorOf(attempt),
  }
  if (!isWritten) log.warn('A delivery attempt took too long, so its outcome is not recorded.', details)
  else if (decision.type === 'delivered') log.debug('An alert was delivered.', details)
  else if (decision.type === 'retry')
    log.info('An alert will be retried later.', { ...details, in_ms: decision.delayMs })
  else log.warn('An alert could not be delivered.', { ...details, contact_switched_off: decision.disables })
}
