// An installation of Uptime Kuma, as rows of its tables. Columns that are left out have the defaults of its migrations.
import { kumaMonitors } from './kuma-example-monitors.ts'

type Row = Readonly<Record<string, string | number | null>>

const json = (value: unknown): string => JSON.stringify(value)

const notifications: readonly (readonly [name: string, config: Readonly<Record<string, unknown>>])[] = [
  [
    'Mail',
    {
      type: 'smtp',
      smtpHost: 'mx.example.com',
      smtpTo: 'Ada <ada@example.com>, bob@example.com',
      smtpCC: 'bob@example.com',
    },
  ],
  [
    'Hook',
    {
      type: 'webhook',
      webhookURL: 'https://hooks.example.com/kuma',
      webhookContentType: 'json',
      webhookAdditionalHeaders: '{"a":"b"}',
    },
  ],
  ['Slack', { type: 'slack', slackwebhookURL: 'https://hooks.slack.com/services/T0/B0/x', slackchannel: '#ops' }],
  [
    'ntfy',
    {
      type: 'ntfy',
      ntfyserverurl: 'https://ntfy.sh',
      ntfytopic: 'perigee-example',
      ntfyPriority: 3,
      ntfyAuthenticationMethod: 'none',
    },
  ],
  [
    'Gotify',
    {
      type: 'gotify',
      gotifyserverurl: 'https://gotify.example.com',
      gotifyapplicationToken: 'Aabcdefgh12345',
      gotifyPriority: 8,
    },
  ],
  [
    'Chat',
    { type: 'GoogleChat', googleChatWebhookURL: 'https://chat.googleapis.com/v1/spaces/AAA/messages?key=k&token=t' },
  ],
  ['Teams', { type: 'teams', webhookUrl: 'https://example.webhook.office.com/webhookb2/x' }],
  [
    'Telegram',
    {
      type: 'telegram',
      telegramBotToken: '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11',
      telegramChatID: '-1001234567890',
      telegramMessageThreadID: '7',
    },
  ],
  [
    'Discord',
    {
      type: 'discord',
      discordWebhookUrl: 'https://discord.com/api/webhooks/123/abc-DEF',
      discordChannelType: 'postToThread',
      threadId: '456',
    },
  ],
  [
    'PagerDuty',
    {
      type: 'PagerDuty',
      pagerdutyIntegrationKey: '0123456789abcdef0123456789abcdef',
      pagerdutyIntegrationUrl: 'https://events.eu.pagerduty.com/v2/enqueue',
      pagerdutyPriority: 'warning',
    },
  ],
  [
    'Mattermost',
    {
      type: 'mattermost',
      mattermostWebhookUrl: 'https://mm.example.com/hooks/abc123',
      mattermostchannel: '#Town-Square',
    },
  ],
  ['Mattermost without channel', { type: 'mattermost', mattermostWebhookUrl: 'https://mm.example.com/hooks/abc123' }],
  [
    'Matrix',
    {
      type: 'matrix',
      homeserverUrl: 'https://matrix.example.com',
      internalRoomId: '!abcdef:example.com',
      accessToken: 'syt_abcdefgh',
    },
  ],
  [
    'Pushover',
    {
      type: 'pushover',
      pushoverapptoken: 'a'.repeat(30),
      pushoveruserkey: 'u'.repeat(30),
      pushoverpriority: '2',
      pushoversounds: 'siren',
    },
  ],
  [
    'Twilio',
    {
      type: 'twilio',
      twilioAccountSID: `AC${'0'.repeat(32)}`,
      twilioAuthToken: 'f'.repeat(32),
      twilioFromNumber: '+15005550006',
      twilioToNumber: '+491701234567',
    },
  ],
  ['Apprise', { type: 'apprise', appriseURL: 'apprises://apprise.example.com:8000/monitoring' }],
  ['Apprise by itself', { type: 'apprise', appriseURL: 'tgram://123/456' }],
  ['Signal', { type: 'signal', signalURL: 'http://signal:8080' }],
  ['Browser', { type: 'Webpush', subscription: {} }],
]

/** Start of a day of UTC, in seconds. */
const day = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 1000

export const kumaExample: Readonly<Record<string, readonly Row[]>> = {
  monitor: kumaMonitors,
  proxy: [
    {
      id: 1,
      protocol: 'http',
      host: 'proxy.example.com',
      port: 3128,
      auth: 1,
      username: 'ada',
      password: 'open',
      active: 1,
    },
  ],
  notification: notifications.map(([name, config], index) => ({
    id: index + 1,
    name,
    active: 1,
    config: json({ name, ...config }),
  })),
  monitor_notification: [
    { monitor_id: 1, notification_id: 1 },
    { monitor_id: 1, notification_id: 3 },
    { monitor_id: 16, notification_id: 10 },
    { monitor_id: 17, notification_id: 18 },
  ],
  tag: [
    { id: 1, name: 'env', color: '#059669' },
    { id: 2, name: 'Blue, green', color: '#2563eb' },
  ],
  monitor_tag: [
    { monitor_id: 1, tag_id: 1, value: 'production' },
    { monitor_id: 1, tag_id: 2, value: '' },
  ],
  status_page: [
    {
      id: 1,
      slug: 'main',
      title: 'Example',
      description: 'How we are',
      icon: '/icon.svg',
      theme: 'dark',
      published: 1,
      footer_text: 'Us',
      custom_css: 'body {\n  \n}',
    },
    { id: 2, slug: 'status', title: 'Inside', icon: '/icon.svg', theme: 'auto', published: 0 },
  ],
  status_page_cname: [
    { status_page_id: 1, domain: 'status.example.com' },
    { status_page_id: 1, domain: 'status.example.net' },
  ],
  group: [
    { id: 1, name: 'Second', public: 1, weight: 2, status_page_id: 1 },
    { id: 2, name: 'First', public: 1, weight: 1, status_page_id: 1 },
  ],
  monitor_group: [
    { monitor_id: 3, group_id: 2, weight: 2 },
    { monitor_id: 1, group_id: 2, weight: 1 },
    { monitor_id: 1, group_id: 1, weight: 1 },
    { monitor_id: 30, group_id: 1, weight: 2 },
  ],
  setting: [{ key: 'serverTimezone', value: '"Europe/Berlin"', type: 'general' }],
  maintenance: [
    {
      id: 1,
      title: 'Move',
      description: 'New rack',
      strategy: 'single',
      active: 1,
      start_date: '2027-07-01 22:00:00',
      end_date: '2027-07-02 02:00',
      timezone: 'SAME_AS_SERVER',
    },
    {
      id: 2,
      title: 'Weekly',
      description: '',
      strategy: 'recurring-weekday',
      active: 1,
      start_time: '23:30',
      end_time: '00:15',
      weekdays: '[0,3]',
      timezone: 'Europe/Sofia',
    },
    {
      id: 3,
      title: 'Monthly',
      description: '',
      strategy: 'recurring-day-of-month',
      active: 1,
      start_time: '04:05',
      end_time: '05:00',
      days_of_month: '[1,"lastDay1"]',
      timezone: 'UTC',
    },
    {
      id: 4,
      title: 'Daily',
      description: '',
      strategy: 'recurring-interval',
      active: 1,
      start_time: '03:00',
      end_time: '03:20',
      interval_day: 1,
      timezone: 'UTC',
      end_date: '2028-01-01 00:00:00',
    },
    {
      id: 5,
      title: 'Every third day',
      description: '',
      strategy: 'recurring-interval',
      active: 1,
      start_time: '03:00',
      end_time: '03:20',
      interval_day: 3,
      timezone: 'UTC',
    },
    {
      id: 6,
      title: 'Cron',
      description: '',
      strategy: 'cron',
      active: 1,
      cron: '15 2 * * 1',
      duration: 1800,
      timezone: 'UTC',
    },
    { id: 7, title: 'By hand', description: '', strategy: 'manual', active: 1, timezone: 'UTC' },
    {
      id: 8,
      title: 'Over',
      description: '',
      strategy: 'single',
      active: 1,
      start_date: '2020-01-01 00:00:00',
      end_date: '2020-01-01 01:00:00',
      timezone: 'UTC',
    },
    {
      id: 9,
      title: 'Off',
      description: '',
      strategy: 'cron',
      active: 0,
      cron: '15 2 * * 1',
      duration: 1800,
      timezone: 'UTC',
    },
  ],
  monitor_maintenance: [1, 2, 3, 4, 5, 6, 7, 8, 9].map((id) => ({ monitor_id: 16, maintenance_id: id })),
  stat_daily: [
    { monitor_id: 1, timestamp: day('2026-11-02'), up: 1438, down: 2, ping: 51.5 },
    { monitor_id: 1, timestamp: day('2026-11-01'), up: 1440, down: 0, ping: 50 },
    { monitor_id: 17, timestamp: day('2026-11-01'), up: 24, down: 0, ping: 0 },
  ],
}
