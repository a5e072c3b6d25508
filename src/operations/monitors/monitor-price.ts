import { randomUUID } from 'node:crypto'
import { fail } from '#core/language/error.ts'
import { type MonitorChange, completeChange } from '#core/monitors/monitor-change.ts'
import { decideSettings, type InputSurroundings } from '#core/monitors/monitor-input.ts'
import type { MonitorInput, MonitorSettings } from '#core/monitors/monitor.ts'
import { pricing } from '#core/money/pricing.ts'
import { type BillingPeriod, type Price, priceOfChange, priceOfCreate, priceOfRenewal } from '#core/money/quote.ts'
import { renewalDescription } from '#core/money/renewal.ts'
import { payersPlan } from '#payments/settle.ts'
import type { Transaction } from '#store/database/database.ts'
import { type LockedMonitor, lockMonitor } from '#store/monitors/monitors.ts'
import { holdPlan, lockSlots, type Slots } from '#store/money/plan-slots.ts'
import { assertMembers, assertParents, monitorNotFound, planOf, readSurroundings } from './monitor-surroundings.ts'
import { assertRoomForSettings } from './settings-room.ts'
import type { Services } from '#operations/pipeline/services.ts'

/**
 * The buyer. `isStranger`: a caller without an account, whose workspace is null until it begins to exist with a
 * payment.
 */
export type Buyer = {
  workspaceId: string | null
  isStranger: boolean
  services: Services
  /** Whether the caller may let the monitor reach private addresses. Default: false. */
  mayAllowPrivateTarget?: boolean
}

type Changer = Omit<Buyer, 'isStranger'> & { workspaceId: string; monitorId: string }

/** The settings that would be written, and what they cost. `description` tells the payer what for, in ASCII. */
export type Offer = { settings: MonitorSettings; price: Price; description: string }

/** Validates and prices a new monitor, and locks what that depends on. Throws the refusal of the request. */
export async function offerCreate(
  tx: Transaction,
  buyer: Buyer,
  input: MonitorInput,
): Promise<Offer & { isNothingOwed: boolean }> {
  const { workspaceId } = buyer
  const { surroundings, slots, hasFreeSlot } = await surroundNew(tx, buyer, input)
  const settings = decideSettings(input, null, surroundings)
  // No input can name the id of a monitor that does not exist.
  const change = { monitorId: randomUUID(), before: null, isListed: true }
  await assertParents(tx, { workspaceId, monitorId: change.monitorId, input }, settings)
  if (workspaceId !== null) {
    await assertMembers(tx, { workspaceId, ...change }, settings)
    await assertRoomForSettings(tx, { workspaceId, ...change, input, after: settings })
  }
  if (!hasFreeSlot && slots.paid >= pricing.maxPaidMonitors)
    throw fail('limit_reached', `A workspace can have at most ${pricing.maxPaidMonitors} paid monitors.`)
  const { locations } = settings
  const price = priceOfCreate({ hasFreeSlot, locations, billingPeriod: input.billing_period })
  const description = `${countOf(locations.length, 'location')} ${spanOf(price.billingPeriod)}`
  return { settings, price, description, isNothingOwed: !slots.isOwed }
}

/** The same for a change; `current` is the monitor before it. */
export async function offerChange(
  tx: Transaction,
  changer: Changer,
  change: MonitorChange,
): Promise<Offer & { current: LockedMonitor }> {
  const { workspaceId, monitorId } = changer
  const { surroundings, current } = await surroundCurrent(tx, changer, change)
  const input = completeChange(change, current.settings)
  const { billing, billing_period: billingPeriod, paid_locations: paidLocations } = current
  const settings = decideSettings(input, current.settings, surroundings)
  const isListed = input.check_options !== undefined
  const changed = { workspaceId, monitorId, before: current.settings }
  await assertMembers(tx, { ...changed, isListed }, settings)
  await assertParents(tx, { workspaceId, monitorId, input }, settings)
  await assertRoomForSettings(tx, { ...changed, input, after: settings })
  const price = priceOfChange({ billing, billingPeriod, paidLocations }, settings.locations)
  const added = settings.locations.length - paidLocations
  return { current, settings, price, description: countOf(added, 'more location') }
}

/** Another 30 days of a monitor as it is. Refuses with `not_renewable`. */
export async function offerRenewal(
  tx: Transaction,
  { workspaceId, monitorId, services }: { workspaceId: string; monitorId: string; services: Services },
): Promise<Offer & { current: LockedMonitor }> {
  await holdPlan(tx, workspaceId)
  const current = (await lockMonitor(tx, services.secrets, { workspaceId, monitorId })) ?? monitorNotFound()
  const { billing, billing_period: billingPeriod, paid_locations: paidLocations, settings } = current
  const price = priceOfRenewal({ billing, billingPeriod, paidLocations }, settings.locations)
  return { current, settings, price, description: renewalDescription(settings.locations.length) }
}

/** What the rules of a new monitor need to know, read and held. */
export async function surroundNew(
  tx: Transaction,
  buyer: Buyer,
  input: Named,
): Promise<{ surroundings: InputSurroundings; slots: Omit<Slots, 'plan'>; hasFreeSlot: boolean }> {
  const { workspaceId, isStranger, services } = buyer
  const read = await readSurroundings(tx, buyer, input)
  const { plan: name, ...slots } = workspaceId === null ? noSlots : await lockSlots(tx, workspaceId)
  const plan = planOf(services, name)
  const hasFreeSlot = !isStranger && slots.used < plan.slots
  const billing = hasFreeSlot ? 'plan' : 'paid'
  return { surroundings: { ...read, plan, billing, billingPeriod: null, isStranger }, slots, hasFreeSlot }
}

/** The same for a change, with the monitor before it. */
export async function surroundCurrent(
  tx: Transaction,
  { workspaceId, monitorId, services, ...changer }: Changer,
  input: Named,
): Promise<{ surroundings: InputSurroundings; current: LockedMonitor }> {
  // Contacts before monitors, the order in which deleting a contact locks them; the plan between, as creating does.
  const read = await readSurroundings(tx, { workspaceId, services, ...changer }, input)
  const plan = planOf(services, await holdPlan(tx, workspaceId))
  const current = (await lockMonitor(tx, services.secrets, { workspaceId, monitorId })) ?? monitorNotFound()
  const { billing, billing_period: billingPeriod } = current
  return { surroundings: { ...read, plan, billing, billingPeriod }, current }
}

type Named = Pick<MonitorInput, 'alert_channel_ids' | 'escalation_policy_id'>

const noSlots = { plan: payersPlan, used: 0, paid: 0, isOwed: false }

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function spanOf(period: BillingPeriod | null): string {
  return period === 'lifetime' ? 'for life' : `for ${pricing.renewalDays} days`
}
