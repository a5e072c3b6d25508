import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { tagKey } from '#core/tag-key.ts'
import type { PolicyRecord } from '../../api/escalation.ts'
import { readTags } from '../../parts/form/tags-field.tsx'
import { isRecord } from '../../parts/schema/check.ts'
import { textOf } from '../../parts/schema/read.ts'
import { statusText } from '../../parts/schema/status-codes.ts'
import type { ContactRecord, KindName, LocationRecord, Payload } from '../../api/monitors.ts'
import { alertedBy } from '../monitor/alerted.ts'
import { durationText, intervalText } from '../monitor/details.ts'
import { scheduleText } from '../monitor/schedule-words.ts'
import { type FormOf, audienceName } from './input.ts'
import type { SectionName } from './layout.ts'
import { isCalled, isProbed, kindWords } from '../monitor/kinds.ts'

/** What a form says, and what the workspace has of which it speaks. */
export type Spoken = {
  payload: Payload
  data: FormData
  of: FormOf
  locations: readonly LocationRecord[]
  contacts: readonly ContactRecord[]
  policies: readonly Policy[]
}

type Policy = Pick<PolicyRecord, 'id' | 'name' | 'is_default' | 'tags'>

/** What will happen once the form is saved, a sentence each: when and from where, what is an incident, who is told. */
export function outlookOf(spoken: Spoken): string[] {
  const { of } = spoken
  return [rhythmOf(of.kind, spoken), incidentOf(spoken), toldOf(spoken)].filter((text) => text !== '')
}

function rhythmOf(kind: KindName, spoken: Spoken): string {
  const { payload } = spoken
  const seconds = numberIn(payload, 'interval_seconds')
  if (seconds === null) return ''
  const often = intervalText(seconds)
  if (isCalled(kind)) {
    const grace = durationText(numberIn(payload, 'heartbeat_grace_seconds') ?? 0)
    const schedule = scheduleText(optionsIn(payload))
    if (schedule !== null) return t`A call is expected ${schedule}, and may be late by ${grace}.`
    return t`A call is expected ${often}, and may be late by ${grace}.`
  }
  if (!isProbed(kind)) return t`Its members are looked at ${often}.`
  const places = placesOf(spoken)
  return places.length === 0 ? t`It is checked ${often}.` : t`It is checked ${often} from ${inWords(places)}.`
}

function placesOf({ payload, locations }: Spoken): string[] {
  const chosen = listIn(payload, 'locations')
  return locations.filter(({ code }) => chosen.includes(code)).map(({ name }) => name)
}

function incidentOf(spoken: Spoken): string {
  const { payload } = spoken
  const failures = numberIn(payload, 'failure_threshold')
  if (failures === null) return ''
  const begins = plural(failures, {
    one: 'An incident opens after one failed round.',
    other: 'An incident opens after # failed rounds in a row.',
  })
  const [count, needed] = [placesOf(spoken).length, numberIn(payload, 'confirmation_threshold') ?? 1]
  if (count < 2 || needed > count) return begins
  return `${begins} ${plural({ count }, { other: `A round has failed when ${needed} of # locations say so.` })}`
}

function toldOf(spoken: Spoken): string {
  const policy = policyOf(spoken)?.name
  const names = toldNames(spoken)
  if (policy !== undefined) return t`The policy ${policy} says who is alerted, and when.`
  if (names === null) return t`No one is alerted yet: the workspace has no contacts.`
  if (names.length === 0) return t`No one is alerted.`
  const [many, all] = [names.length, inWords(names)]
  if (names.length > 3) return plural(many, { other: '# contacts are alerted.' })
  return plural(many, { one: `${all} is alerted.`, other: `${all} are alerted.` })
}

/** The one that is named, else the first with one of its tags, else the default. */
function policyOf({ data, policies, payload }: Spoken): Policy | undefined {
  const own = new Set(listIn(payload, 'tags').map((tag) => tagKey(String(tag))))
  return (
    policies.find(({ id }) => id === data.get('escalation_policy_id')) ??
    policies.find(({ tags }) => tags.some((tag) => own.has(tagKey(tag)))) ??
    policies.find(({ is_default: isDefault }) => isDefault)
  )
}

/** Null where there is no one who could be. */
function toldNames({ data, of, contacts }: Spoken): string[] | null {
  const name = 'alert_channel_ids'
  const audience = textOf(data, audienceName(name))
  const ids = data.getAll(name).map(String)
  switch (audience) {
    case 'none':
      return []
    case 'some':
      return contacts.filter(({ id }) => ids.includes(id)).map((contact) => contact.name)
    case 'tagged':
      return namesOf({ alert_channel_ids: ids, alert_channel_tags: readTags(data, 'alert_channel_tags') }, contacts)
    case 'keep':
      return of.record === null ? [] : namesOf(of.record, contacts)
    default:
      return contacts.length === 0 ? null : contacts.map((contact) => contact.name)
  }
}

function namesOf(of: Parameters<typeof alertedBy>[0], contacts: readonly ContactRecord[]): string[] {
  return alertedBy(of, contacts).map(({ name }) => name)
}

/** What a folded section says at the moment, beside its title; "" for nothing. */
export function gistOf(section: SectionName, spoken: Spoken): string {
  const { payload } = spoken
  switch (section) {
    case 'request': {
      const method = textIn(payload, 'method')
      if (method === '') return ''
      return textIn(payload, 'request_body') === '' ? method : t`${method} with a body`
    }
    case 'up':
      return upGist(spoken)
    case 'alerts':
      return toldOf(spoken)
    case 'notes':
      return textIn(payload, 'notes') === '' && textIn(payload, 'runbook_url') === '' ? '' : t`Added.`
    case 'target':
    case 'when':
    case 'more':
      return ''
  }
}

function upGist({ payload, of }: Spoken): string {
  const failures = numberIn(payload, 'failure_threshold') ?? 1
  const rounds = plural(failures, { one: 'down after one failed round', other: 'down after # failed rounds' })
  const [min, max] = [numberIn(payload, 'expected_status_min'), numberIn(payload, 'expected_status_max')]
  if (kindWords[of.kind].request !== 'whole' || min === null || max === null) return rounds
  const list = payload['expected_statuses']
  const codes = Array.isArray(list) ? list.join(', ') : statusText({ min, max })
  const keyword = textIn(payload, 'keyword')
  return keyword === '' ? t`Status ${codes}, ${rounds}` : t`Status ${codes}, “${keyword}”, ${rounds}`
}

/** "A, B and C". */
function inWords(words: readonly string[]): string {
  return new Intl.ListFormat(i18n.locale, { type: 'conjunction' }).format(words)
}

function numberIn(payload: Payload, name: string): number | null {
  const value = payload[name]
  return typeof value === 'number' ? value : null
}

function textIn(payload: Payload, name: string): string {
  const value = payload[name]
  return typeof value === 'string' ? value : ''
}

function optionsIn(payload: Payload): Readonly<Record<string, unknown>> {
  const options = payload['check_options']
  return isRecord(options) ? options : {}
}

function listIn(payload: Payload, name: string): readonly unknown[] {
  const value = payload[name]
  return Array.isArray(value) ? value : []
}
