// Notifications of Uptime Kuma, whose settings are a JSON object that each provider fills in its own way.
import {
  addContacts,
  mailContacts,
  type Made,
  type Provider,
  type Settings,
  settingsOf,
} from '#core/imports/contact-parts.ts'
import type { Findings, Where } from '#core/imports/findings.ts'
import { innerJson } from '#core/imports/import-json.ts'
import { kumaPlace, type KumaTables } from './kuma-rows.ts'
import { nameOf, shown } from '#core/imports/monitor-parts.ts'

const providers: Readonly<Record<string, Provider>> = {
  smtp: mail,
  webhook,
  slack: ({ text }, where) => {
    if (text('slackchannel') !== null)
      where.findings.changed(`${where.place}.slackchannel`, 'Slack decides by the webhook which channel is written to.')
    return [{ kind: 'slack', destination: text('slackwebhookURL') ?? '' }]
  },
  ntfy,
  gotify: ({ text, number }, { label }) => [
    {
      kind: 'gotify',
      destination: label,
      options: {
        server: text('gotifyserverurl'),
        token: text('gotifyapplicationToken'),
        priority: number('gotifyPriority'),
      },
    },
  ],
  GoogleChat: ({ text }, { label }) => [
    { kind: 'google_chat', destination: label, options: { webhook_url: text('googleChatWebhookURL') } },
  ],
  teams: ({ text }, { label }) => [{ kind: 'teams', destination: label, options: { webhook_url: text('webhookUrl') } }],
  telegram: ({ text, number }) => [
    {
      kind: 'telegram',
      destination: text('telegramChatID') ?? '',
      options: {
        token: text('telegramBotToken'),
        message_thread_id: number('telegramMessageThreadID'),
        server: text('telegramServerUrl'),
      },
    },
  ],
  discord: ({ text }, { label }) => {
    const [address, thread] = [text('discordWebhookUrl'), text('threadId')]
    const url =
      address === null || thread === null || address.includes('?') ? address : `${address}?thread_id=${thread}`
    return [{ kind: 'discord', destination: label, options: { webhook_url: url } }]
  },
  PagerDuty: ({ text }, { label }) => [
    {
      kind: 'pagerduty',
      destination: label,
      options: {
        routing_key: text('pagerdutyIntegrationKey'),
        region: text('pagerdutyIntegrationUrl')?.includes('.eu.') === true ? 'eu' : null,
        severity: text('pagerdutyPriority'),
      },
    },
  ],
  mattermost,
  matrix: ({ text }) => [
    {
      kind: 'matrix',
      destination: text('internalRoomId') ?? '',
      options: { homeserver: text('homeserverUrl'), access_token: text('accessToken') },
    },
  ],
  pushover: ({ text, number }, { label }) => [
    {
      kind: 'pushover',
      destination: label,
      options: {
        app_token: text('pushoverapptoken'),
        user_key: text('pushoveruserkey'),
        device: text('pushoverdevice'),
        sound: text('pushoversounds'),
        emergency: number('pushoverpriority') === 2 ? true : null,
      },
    },
  ],
  twilio: ({ text }) => [
    {
      kind: 'twilio_sms',
      destination: text('twilioToNumber') ?? '',
      options: {
        account_sid: text('twilioAccountSID'),
        api_key_sid: text('twilioApiKey'),
        auth_token: text('twilioAuthToken'),
        from: text('twilioMessagingServiceSID') ?? text('twilioFromNumber'),
      },
    },
  ],
  apprise,
}

/** Adds the contacts to the findings, and returns their keys by the ids of the notifications: mail has several. */
export function readKumaContacts(tables: KumaTables, findings: Findings): Map<number, string[]> {
  const keys = new Map<number, string[]>()
  for (const row of tables.notification) {
    const where = { place: kumaPlace('notification', row), findings }
    if (!row.active) {
      findings.lost(where.place, `${shown(row.name ?? 'It')} is switched off there and is left out.`)
      continue
    }
    const config = settingsOf(innerJson(row.config))
    const type = config?.text('type') ?? null
    const provider = type !== null && Object.hasOwn(providers, type) ? providers[type] : undefined
    if (config === null || provider === undefined) {
      findings.lost(`${where.place}.config.type`, missing(type))
      continue
    }
    noteTemplates(config, where)
    const name = nameOf(row.name, type ?? 'Contact')
    keys.set(row.id, addContacts(provider, config, { name, place: `${where.place}.config`, findings }))
  }
  return keys
}

function missing(type: string | null): string {
  if (type === null) return 'Its settings are not a JSON object with a type.'
  return type === 'Webpush'
    ? 'Subscribe the browser again: in the console, under Contacts.'
    : `No kind of contact sends to "${shown(type)}". A webhook contact reaches programs that accept JSON.`
}

/** Names of switches that put words of one's own in place of the built-in ones. */
const templateSwitches = [
  'slackUseTemplate',
  'ntfyUseTemplate',
  'googleChatUseTemplate',
  'telegramUseTemplate',
  'discordUseMessageTemplate',
  'matrixUseTemplate',
  'customSubject',
  'customBody',
  'webhookCustomBody',
]

function noteTemplates({ text }: Settings, { place, findings }: Where): void {
  const used = templateSwitches.find((name) => ![null, 'false', '0'].includes(text(name)))
  if (used !== undefined)
    findings.lost(
      `${place}.config.${used}`,
      'Its own message text is not imported. Use the templates of the contact instead.',
    )
}

function mail({ text }: Settings, { place, findings }: Where): Made[] {
  if (text('smtpHost') !== null)
    findings.changed(`${place}.smtpHost`, 'Mail is sent by the mail server of this installation, from its own address.')
  return mailContacts(['smtpTo', 'smtpCC', 'smtpBCC'].map(text), { place: `${place}.smtpTo`, findings })
}

function webhook({ text }: Settings, { place, findings }: Where): Made[] {
  findings.changed(place, 'Perigee sends its own signed JSON (docs/alerts.md). Adapt the receiver to it.')
  if (text('webhookAdditionalHeaders') !== null)
    findings.lost(`${place}.webhookAdditionalHeaders`, 'In Perigee, webhooks have no custom headers.')
  if (text('httpMethod')?.toLowerCase() === 'get')
    findings.changed(`${place}.httpMethod`, 'Perigee sends it with POST.')
  return [{ kind: 'webhook', destination: text('webhookURL') ?? '' }]
}

const usualNtfy = 'https://ntfy.sh'
const usualNtfyPriority = 4

function ntfy({ text, number }: Settings, { place, findings }: Where): Made[] {
  const method = text('ntfyAuthenticationMethod')
  if (method === 'usernamePassword')
    findings.lost(
      `${place}.ntfyusername`,
      'Perigee needs an access token to write to the topic. Create one for this contact.',
    )
  const server = text('ntfyserverurl')?.replace(/\/+$/, '') ?? usualNtfy
  const priority = number('ntfyPriority') ?? usualNtfyPriority
  return [
    {
      kind: 'ntfy',
      destination: text('ntfytopic') ?? '',
      options: {
        server: server === usualNtfy ? null : server,
        token: method === 'accessToken' ? text('ntfyaccesstoken') : null,
        // That of outages is one more there than the one that is set, or a setting of its own.
        priority: number('ntfyPriorityDown') ?? Math.min(5, priority + 1),
      },
    },
  ]
}

function mattermost({ text }: Settings, { place, findings }: Where): Made[] {
  const channel = text('mattermostchannel')?.toLowerCase().replace(/^#/, '') ?? null
  if (channel === null)
    findings.lost(
      `${place}.mattermostchannel`,
      'A Mattermost contact needs the name of its channel, and the file does not have it.',
    )
  const options = { webhook_url: text('mattermostWebhookUrl') }
  return channel === null ? [] : [{ kind: 'mattermost', destination: channel, options }]
}

/** An address of Apprise that leads to a configuration which an Apprise API server keeps. */
const appriseServer = /^(apprises?):\/\/([^/?#@\s]+)\/(?:[^?#\s]*\/)?([\w-]{1,128})\/?(?:\?[^\s]*)?$/

function apprise({ text }: Settings, { place, findings, label }: Where & { label: string }): Made[] {
  const [, scheme, host, key] = appriseServer.exec(text('appriseURL') ?? '') ?? []
  if (host === undefined || key === undefined) {
    findings.lost(
      `${place}.appriseURL`,
      'Uptime Kuma runs Apprise itself. Perigee uses an Apprise API server, so put this address into a configuration of that server.',
    )
    return []
  }
  const server = `${scheme === 'apprises' ? 'https' : 'http'}://${host}`
  return [{ kind: 'apprise', destination: label, options: { server, config_key: key } }]
}
