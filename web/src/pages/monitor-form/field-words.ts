import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { FormOf } from './input.ts'
import { kindAsks } from './kind-asks.ts'

/** Words in place of the schema's, which are for readers of JSON. */
const labels: Readonly<Record<string, { label: MessageDescriptor; hint?: MessageDescriptor }>> = {
  method: { label: msg`Method` },
  request_body: { label: msg`Body`, hint: msg`Sent with each check, and kept encrypted.` },
  timeout_ms: { label: msg`Give up after (ms)` },
  keyword: {
    label: msg`Text in the response`,
    hint: msg`The response body must contain it. Leave it empty to accept any text.`,
  },
  failure_threshold: { label: msg`Failed rounds before an incident opens` },
  retry_interval_seconds: {
    label: msg`Check again after a failed round (s)`,
    hint: msg`Until an incident opens. Leave it empty to wait for the usual interval.`,
  },
  recovery_threshold: { label: msg`Good rounds before it resolves` },
  confirmation_threshold: { label: msg`Locations that must agree` },
  alert_degraded_rounds: {
    label: msg`Degraded rounds in a row that alert`,
    hint: msg`Empty for no alert. It stays up: no incident opens.`,
  },
  alert_slow_factor: {
    label: msg`How many times the usual response time alerts`,
    hint: msg`From 2 to 20; empty for no alert. The usual time is what 95 % of its checks stayed within at this time of day, in the last 28 days.`,
  },
  alert_slow_rounds: { label: msg`Slow rounds in a row that alert` },
  expiry_alerts: { label: msg`Alert before domain and certificate expire` },
  vulnerability_alerts: {
    label: msg`Look for software with known vulnerabilities`,
    hint: msg`Only if the plan includes it.`,
  },
  vulnerability_severity: { label: msg`Lowest severity that alerts` },
  charts: { label: msg`On public status pages` },
  runbook_url: {
    label: msg`Runbook`,
    hint: msg`A page that says what to do, such as https://wiki.example.com/shop. Alerts have a button that opens it.`,
  },
  keep_evidence: {
    label: msg`Keep evidence of failures`,
    hint: msg`Headers, addresses and certificates that locations saw, and the beginning of the page where the monitor sends no secrets. Kept encrypted for 30 days.`,
  },
}

export function wordsOf(name: string): { label?: string; hint?: string } {
  const words = labels[name]
  if (words === undefined) return {}
  return { label: i18n._(words.label), hint: words.hint === undefined ? '' : i18n._(words.hint) }
}

export function targetWords({ kind }: FormOf): { label: string; hint: string } {
  const { target, example } = kindAsks[kind]
  return { label: target === null ? t`Target` : i18n._(target), hint: t`Such as ${example}` }
}
