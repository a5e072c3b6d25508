import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { kindTraits } from '#core/monitors/kind-traits.ts'
import type { KindName, MonitorForms } from '../../api/monitors.ts'
import { isCalled, isProbed, kindWords } from '../monitor/kinds.ts'
import { kindAsks } from './kind-asks.ts'

export type SectionName = 'target' | 'when' | 'request' | 'up' | 'alerts' | 'notes' | 'more'

/** Fields that stand together; `isOpen` where a new monitor has to say something there, or is likely to. */
export type FieldGroup = { name: SectionName; title: string; isOpen: boolean; names: readonly string[] }

const titles: Readonly<Record<SectionName, MessageDescriptor>> = {
  target: msg`What to check`,
  when: msg`When and from where`,
  request: msg`Request`,
  up: msg`What counts as up`,
  alerts: msg`Alerts`,
  notes: msg`Notes and runbook`,
  more: msg`More`,
}

/** What each section begins with; `*` are the options of the kind that have no place of their own. */
const placed: Readonly<Record<SectionName, readonly string[]>> = {
  target: ['name', 'url', 'allow_private_target', '*', 'tags'],
  when: [
    'interval_seconds',
    'check_options.schedule',
    'check_options.time_zone',
    'heartbeat_grace_seconds',
    'locations',
    'timeout_ms',
  ],
  request: [
    'method',
    'request_headers',
    'request_body',
    'check_options.headers_only',
    'check_options.sign_in',
    'check_options.sign_in_name',
    'check_options.sign_in_secret',
    'check_options.secrets',
    'check_options.totp_secret',
    'check_options.token_url',
    'check_options.token_method',
    'check_options.token_scope',
    'check_options.token_audience',
    'check_options.aws_region',
    'check_options.aws_service',
    'check_options.http2',
    'check_options.resume_tls',
    'check_options.ip_version',
    'check_options.resolver',
    'check_options.proxy',
    'check_options.proxy_name',
    'check_options.proxy_secret',
    'check_options.certificate_authorities',
    'check_options.accept_any_certificate',
    'check_options.client_certificate',
  ],
  up: [
    'expected_status_min',
    'expected_status_max',
    'expected_statuses',
    'keyword',
    'check_options.json_path',
    'check_options.attribute',
    'check_options.watched_topic',
    'check_options.expected_value',
    'check_options.absent_keyword',
    'check_options.body_pattern',
    'check_options.absent_pattern',
    'check_options.json_schema',
    'check_options.jsonata',
    'check_options.expected_elements',
    'check_options.expected_headers',
    'check_options.final_url',
    'check_options.expected_http_version',
    'check_options.body_sha256',
    'check_options.certificate_sha256',
    'check_options.inverted',
    'check_options.expected_text',
    'check_options.expected_message',
    'check_options.message_pattern',
    'check_options.expected_answer',
    'check_options.dnssec',
    'check_options.signature_warn_days',
    'check_options.max_offset_ms',
    'check_options.max_loss_percent',
    'check_options.warn_days',
    'check_options.chain_warn_days',
    'check_options.min_protocol',
    'check_options.weak_parameters',
    'check_options.stapled_ocsp',
    'check_options.minimum_score',
    'check_options.dmarc_policy',
    'check_options.down_on',
    'check_options.group_policy',
    'check_options.min_entries',
    'check_options.expected_role',
    'check_options.min_value',
    'check_options.max_value',
    'check_options.down_above',
    'check_options.down_below',
    'check_options.degraded_above',
    'check_options.degraded_below',
    'check_options.unit',
    'check_options.max_list_length',
    'check_options.queue',
    'check_options.max_messages',
    'check_options.min_consumers',
    'check_options.max_memory_mb',
    'check_options.max_latency_ms',
    'check_options.script',
    'check_options.max_load_ms',
    'check_options.max_lcp_ms',
    'check_options.max_cls',
    'check_options.console_errors',
    'check_options.failed_requests',
    'check_options.max_run_seconds',
    'check_options.min_run_seconds',
    'check_options.buys',
    'failure_threshold',
    'retry_interval_seconds',
    'recovery_threshold',
    'confirmation_threshold',
  ],
  alerts: [
    'alert_channel_ids',
    'alert_channel_tags',
    'escalation_policy_id',
    'depends_on',
    'alert_rules',
    'alert_degraded_rounds',
    'alert_slow_factor',
    'alert_slow_rounds',
    'expiry_alerts',
    'vulnerability_alerts',
    'vulnerability_severity',
  ],
  notes: ['notes', 'runbook_url'],
  more: ['keep_evidence', 'charts'],
}
const sections = Object.keys(placed).filter(isSection)
const everyPlace = new Set(Object.values(placed).flat())

/** Asked beside the price, or chosen before the form. */
const elsewhere = new Set(['kind', 'billing_period', 'check_options'])

/** Every field that the service knows and the kind has a use for, and each of them once. */
export function fieldGroups(kind: KindName, { input, kinds }: MonitorForms): FieldGroup[] {
  const known = Object.keys(input.properties ?? {}).filter((name) => !elsewhere.has(name))
  const options = Object.keys(kinds[kind].options.properties ?? {}).map((name) => `check_options.${name}`)
  const used = [...known.filter((name) => isUsed(name, kind, kinds[kind])), ...options]
  const others = used.filter((name) => !everyPlace.has(name))
  return sections
    .map((name) => {
      const named = placed[name].flatMap((each) => (each === '*' ? others.filter(isOption) : each))
      const names = named.filter((each) => used.includes(each))
      const rest = name === 'more' ? others.filter((each) => !isOption(each)) : []
      return { name, title: titleOf(name, kind), isOpen: isOpen(name, kind), names: [...names, ...rest] }
    })
    .filter(({ names }) => names.length > 0)
}

function isOption(name: string): boolean {
  return name.startsWith('check_options.')
}

function titleOf(name: SectionName, kind: KindName): string {
  if (name !== 'when' || isProbed(kind)) return i18n._(titles[name])
  return isCalled(kind) ? i18n._(msg`When a call is expected`) : i18n._(msg`When`)
}

/** What counts as up has usual values where it is a matter of HTTP or of rounds alone. */
function isOpen(name: SectionName, kind: KindName): boolean {
  if (name === 'target' || name === 'when') return true
  return name === 'up' && kindWords[kind].request !== 'whole' && kind !== 'heartbeat'
}

function isSection(name: string): name is SectionName {
  return Object.hasOwn(titles, name)
}

/** What is sent, and what is expected of the answer: members that count only where a kind sends a request. */
const sentMembers: ReadonlySet<string> = new Set(['method', 'request_headers', 'request_body'])
const answerMembers: ReadonlySet<string> = new Set([
  'keyword',
  'expected_status_min',
  'expected_status_max',
  'expected_statuses',
])

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
  const { target } = kindAsks[kind]
  const { request } = kindWords[kind]
  const { hasExpiryAlerts, software } = kindTraits[kind]
  if (answerMembers.has(name)) return request === 'whole'
  if (sentMembers.has(name))
    return request === 'whole' || request === 'sent' || (request === 'headers' && name === 'request_headers')
  switch (name) {
    case 'url':
      return target !== null
    case 'allow_private_target':
      return target !== null && !askedElsewhere.has(kind)
    case 'locations':
    case 'retry_interval_seconds':
    case 'timeout_ms':
      return !form.isPassive
    case 'keep_evidence':
      return kind !== 'group'
    case 'confirmation_threshold':
      return !form.isSingle
    case 'alert_slow_factor':
    case 'alert_slow_rounds':
      return kind !== 'group'
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
