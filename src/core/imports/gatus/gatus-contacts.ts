// Providers of alerts in Gatus, of each type at most one; endpoints choose them by type, with thresholds of their own.
import { addContacts, mailContacts, type Provider, type Settings, settingsOf } from '#core/imports/contact-parts.ts'
import type { Findings, Where } from '#core/imports/findings.ts'
import { defaultAlertSchema, type GatusAlert, type GatusFile } from './gatus-rows.ts'
import { shown } from '#core/imports/monitor-parts.ts'

export type GatusProvider = { keys: readonly string[]; defaults: Partial<GatusAlert> }

const byWebhook =
  (kind: string): Provider =>
  ({ text }, { label }) => [{ kind, destination: label, options: { webhook_url: text('webhook-url') } }]

const providers: Readonly<Record<string, Provider>> = {
  slack: ({ text }) => [{ kind: 'slack', destination: text('webhook-url') ?? '' }],
  discord: byWebhook('discord'),
  googlechat: byWebhook('google_chat'),
  teams: byWebhook('teams'),
  'teams-workflows': byWebhook('teams'),
  email: ({ text }, { place, findings }) => {
    findings.changed(place, 'Mail is sent by the mail server of this installation, from its own address.')
    return mailContacts([text('to')], { place: `${place}.to`, findings })
  },
  gotify: ({ text, number }, { label }) => [
    {
      kind: 'gotify',
      destination: label,
      options: { server: text('server-url'), token: text('token'), priority: number('priority') },
    },
  ],
  matrix: ({ text }) => [
    {
      kind: 'matrix',
      destination: text('internal-room-id') ?? '',
      options: {
        homeserver: text('server-url') ?? 'https://matrix-client.matrix.org',
        access_token: text('access-token'),
      },
    },
  ],
  mattermost,
  ntfy: ({ text, number }) => {
    const server = text('url')?.replace(/\/+$/, '') ?? null
    return [
      {
        kind: 'ntfy',
        destination: text('topic') ?? '',
        options: {
          server: server === 'https://ntfy.sh' ? null : server,
          token: text('token'),
          priority: number('priority') ?? 3,
        },
      },
    ]
  },
  pagerduty: ({ text }, { label }) => [
    { kind: 'pagerduty', destination: label, options: { routing_key: text('integration-key') } },
  ],
  pushover: ({ text, number }, { label }) => [
    {
      kind: 'pushover',
      destination: label,
      options: {
        app_token: text('application-token'),
        user_key: text('user-key'),
        device: text('device'),
        sound: text('sound'),
        emergency: number('priority') === 2 ? true : null,
      },
    },
  ],
  telegram: ({ text, number }) => [
    {
      kind: 'telegram',
      destination: text('id') ?? '',
      options: { token: text('token'), message_thread_id: number('topic-id'), server: text('api-url') },
    },
  ],
  twilio: ({ text }) => [
    {
      kind: 'twilio_sms',
      destination: text('to') ?? '',
      options: { account_sid: text('sid'), auth_token: text('token'), from: text('from') },
    },
  ],
}

/** Adds the contacts to the findings, and returns them by the type of alert. */
export function readGatusContacts(
  alerting: NonNullable<GatusFile['alerting']>,
  findings: Findings,
): Map<string, GatusProvider> {
  const found = new Map<string, GatusProvider>()
  for (const [type, value] of Object.entries(alerting).slice(0, 200)) {
    const place = `alerting.${type.slice(0, 100)}`
    const settings = settingsOf(value)
    const provider = Object.hasOwn(providers, type) ? providers[type] : undefined
    const { data: common } = defaultAlertSchema.safeParse(value)
    const defaults = common?.['default-alert'] ?? {}
    if (settings === null || provider === undefined) {
      findings.lost(
        place,
        `No kind of contact sends to "${shown(type)}". A webhook contact reaches programs that accept JSON.`,
      )
      found.set(type, { keys: [], defaults })
      continue
    }
    if (common?.overrides !== null && common?.overrides !== undefined)
      findings.lost(`${place}.overrides`, 'Groups with their own settings use this one contact.')
    found.set(type, { keys: addContacts(provider, settings, { name: nameOf(type), place, findings }), defaults })
  }
  return found
}

function nameOf(type: string): string {
  return `${type.slice(0, 1).toUpperCase()}${type.slice(1).replaceAll('-', ' ')}`
}

function mattermost({ text }: Settings, { place, findings }: Where): ReturnType<Provider> {
  const channel = text('channel')?.toLowerCase().replace(/^#/, '') ?? null
  if (channel !== null)
    return [{ kind: 'mattermost', destination: channel, options: { webhook_url: text('webhook-url') } }]
  findings.lost(
    `${place}.channel`,
    'A Mattermost contact needs the name of its channel, and the file does not have it.',
  )
  return []
}
