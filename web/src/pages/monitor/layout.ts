import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { kindTraits } from '#core/monitors/kind-traits.ts'
import type { KindName, MonitorForms } from '../../api/monitors.ts'
import { isCalled, kindWords } from './kinds.ts'

/** Fields that stand together; `title` is null for the ones that every monitor needs. */
export type FieldGroup = { title: string | null; names: readonly string[] }

const requestFields = [
  'keyword',
  'expected_status_min',
  'expected_status_max',
  'method',
  'request_headers',
  'request_body',
]
type Placement = { title: MessageDescriptor | null; names: readonly string[] }

const groups: readonly Placement[] = [
  {
    title: null,
    names: [
      'name',
      'url',
      'allow_private_target',
      'check_options',
      'interval_seconds',
      'heartbeat_grace_seconds',
      'locations',
      'tags',
    ],
  },
  { title: msg`Request and answer`, names: requestFields },
  { title: msg`Notes and runbook`, names: ['notes', 'runbook_url'] },
  {
    title: msg`Alerts`,
    names: [
      'alert_channel_ids',
      'alert_channel_tags',
      'escalation_policy_id',
      'depends_on',
      'alert_rules',
      'failure_threshold',
      'recovery_threshold',
      'confirmation_threshold',
      'alert_degraded_rounds',
      'alert_slow_factor',
      'alert_slow_rounds',
      'keep_evidence',
      'expiry_alerts',
      'vulnerability_alerts',
      'vulnerability_severity',
    ],
  },
]

/** Asked beside the price, or chosen before the form. */
const elsewhere = new Set(['kind', 'billing_period'])

/** Every field that the service knows and the kind has a use for, and each of them once. */
export function fieldGroups(kind: KindName, { input, kinds }: MonitorForms): FieldGroup[] {
  const known = Object.keys(input.properties ?? {}).filter((name) => !elsewhere.has(name))
  const used = known.filter((name) => isUsed(name, kind, kinds[kind]))
  const isOptional = kindWords[kind].request === 'whole' && (kinds[kind].options.required ?? []).length === 0
  const arranged = isOptional ? groups.map(withOptions) : groups
  const placed = arranged.map(({ title, names }) => ({ title, names: names.filter((name) => used.includes(name)) }))
  const others = used.filter((name) => groups.every(({ names }) => !names.includes(name)))
  return [...placed, { title: msg`More`, names: others }]
    .filter(({ names }) => names.length > 0)
    .map(({ title, names }) => ({ title: title === null ? null : i18n._(title), names }))
}

/** Options with defaults stand with the request, which is folded. */
function withOptions({ title, names }: Placement): Placement {
  const others = names.filter((name) => name !== 'check_options')
  return { title, names: names === requestFields ? others.toSpliced(1, 0, 'check_options') : others }
}

/** Kinds whose checks ask name servers, registries or services about their target, and never dial it. */
const askedElsewhere: ReadonlySet<KindName> = new Set([
  'page_speed',
  'malware',
  'dns',
  'email_auth',
  'blacklist',
  'domain',
])

function isUsed(name: string, kind: KindName, form: MonitorForms['kinds'][KindName]): boolean {
  const { target, request } = kindWords[kind]
  const { hasExpiryAlerts, software } = kindTraits[kind]
  if (requestFields.includes(name)) return request === 'whole' || (request === 'headers' && name === 'request_headers')
  switch (name) {
    case 'url':
      return target !== null
    case 'allow_private_target':
      return target !== null && !askedElsewhere.has(kind)
    case 'locations':
    case 'timeout_ms':
    case 'keep_evidence':
      return !form.isPassive
    case 'confirmation_threshold':
      return !form.isSingle
    case 'check_options':
      return Object.keys(form.options.properties ?? {}).length > 0
    case 'alert_slow_factor':
    case 'alert_slow_rounds':
      return kind !== 'group'
    case 'alert_degraded_rounds':
      return kind !== 'heartbeat'
    case 'heartbeat_grace_seconds':
      return isCalled(kind)
    case 'expiry_alerts':
      return hasExpiryAlerts
    case 'vulnerability_alerts':
      return software === 'chosen'
    case 'vulnerability_severity':
      return software !== 'none'
    default:
      return true
  }
}
