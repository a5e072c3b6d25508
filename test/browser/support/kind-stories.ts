// The least that each kind's form has to be told, and what the service makes of it.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { KindName } from '#core/monitors/kind-traits.ts'
import type { MonitorRecord } from '#core/monitors/monitor.ts'

export type KindStory = {
  /** By label. */
  values: Readonly<Record<string, string>>
  /** Chooses or adds more in the form. */
  further?: (page: Page) => Promise<void>
  /** Members of the monitor that results; options are compared one by one. */
  expected: (monitors: readonly MonitorRecord[]) => Partial<MonitorRecord>
}

function hostStory(label: string, url: string, expected: Partial<MonitorRecord> = {}): KindStory {
  return { values: { [label]: url }, expected: () => ({ url, locations: ['here'], ...expected }) }
}

const hourly = { interval_seconds: 3600 }
const site = 'http://127.0.0.1:9/'

async function addStep(page: Page, path: string): Promise<void> {
  const steps = page.getByRole('group', { name: 'Steps', exact: true })
  await steps.getByRole('textbox', { name: 'URL' }).last().fill(path)
}

function stepsStory(paths: readonly string[]): KindStory {
  return {
    values: { Address: site },
    further: async (page) => {
      for (const [index, path] of paths.entries()) {
        if (index > 0) await page.getByRole('button', { name: 'Add to Steps' }).click()
        await addStep(page, path)
      }
    },
    expected: () => ({ url: site, check_options: { steps: paths.map((url) => ({ url })) } }),
  }
}

export const kindStories: Readonly<Record<KindName, KindStory>> = {
  http: {
    values: { Address: site },
    further: async (page) => {
      await page.getByText('What counts as up').click()
      await page.getByLabel('Degraded above (ms)').fill('2000')
      await page.getByLabel('Accepted status codes').fill('200-299, 300, 301')
      await page.getByText('Request', { exact: true }).click()
      await page.getByText('Stop after the response headers').click()
      await page.getByText('Alerts', { exact: true }).click()
      await page.getByLabel('Alerts go to', { exact: true }).last().selectOption('none')
    },
    expected: () => ({
      url: site,
      interval_seconds: 300,
      timeout_ms: 10_000,
      alert_channel_ids: [],
      recovery_threshold: 2,
      expected_status_min: 200,
      expected_status_max: 301,
      check_options: { max_latency_ms: 2000, headers_only: true },
    }),
  },
  api: {
    values: { Address: site },
    further: async (page) => {
      await page.getByText('What counts as up').click()
      await page.getByLabel('JSON path').fill('status')
      await page.getByLabel('Expected value').fill('ok')
    },
    expected: () => ({ url: site, check_options: { json_path: 'status', expected_value: 'ok' } }),
  },
  tcp: hostStory('Host and port', '127.0.0.1:9'),
  udp: {
    values: { 'Host and port': '127.0.0.1:9', 'Payload (base64)': 'AAEA' },
    expected: () => ({ url: '127.0.0.1:9', check_options: { payload_base64: 'AAEA' } }),
  },
  ssh: hostStory('Host', '127.0.0.1'),
  smtp: {
    values: { Host: '127.0.0.1' },
    further: async (page) => {
      await page.getByLabel('Security').selectOption('tls')
    },
    expected: () => ({ url: '127.0.0.1', check_options: { security: 'tls' } }),
  },
  imap: hostStory('Host', '127.0.0.1'),
  pop: hostStory('Host', '127.0.0.1'),
  ftps: hostStory('Host', '127.0.0.1'),
  ntp: hostStory('Host', '127.0.0.1'),
  ping: hostStory('Host', '127.0.0.1', { check_options: { packets: 3, max_loss_percent: 99 } }),
  game_server: hostStory('Host', '127.0.0.1', { check_options: { edition: 'java' } }),
  ssl: hostStory('Host', '127.0.0.1:9', hourly),
  dns: {
    values: { 'Domain name': 'example.test' },
    further: async (page) => {
      await page.getByLabel('Record type').selectOption('MX')
    },
    expected: () => ({ url: 'example.test', check_options: { record_type: 'MX' } }),
  },
  email_auth: {
    values: { Domain: 'example.test' },
    further: async (page) => {
      for (const [index, selector] of ['s1', '2026.mail'].entries()) {
        await page.getByRole('button', { name: 'Add to DKIM selectors' }).click()
        await page.getByLabel(`DKIM selectors, ${index + 1}`, { exact: true }).fill(selector)
      }
    },
    expected: () => ({ ...hourly, check_options: { dkim_selectors: ['s1', '2026.mail'], dmarc_policy: 'none' } }),
  },
  blacklist: {
    values: { 'Domain or host': 'example.test', 'DNSBL zone': 'dnsbl.example.test' },
    expected: () => ({ ...hourly, check_options: { dnsbl_zone: 'dnsbl.example.test', lookup: 'domain' } }),
  },
  domain: hostStory('Domain', 'example.com', { ...hourly, check_options: { warn_days: 30 } }),
  transaction: stepsStory(['/', '/login']),
  micro_transaction: stepsStory(['/']),
  extended_transaction: stepsStory(['/', '/a', '/b']),
  cloud_status: hostStory('Address of the status page', site, { check_options: { down_on: 'major' } }),
  paid_endpoint: {
    values: {
      Address: site,
      Network: 'eip155:8453',
      Token: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      Payee: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
      'Highest price': '10000',
    },
    expected: () => ({
      url: site,
      check_options: {
        protocol: 'any',
        network: 'eip155:8453',
        asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
        payee: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
        highest_price: '10000',
      },
    }),
  },
  browser: {
    values: { Address: site },
    further: async (page) => {
      await page.getByRole('button', { name: 'Add to Steps' }).click()
      await page.getByLabel('Action', { exact: true }).selectOption({ label: 'Expect title' })
      await page.getByLabel('Value', { exact: true }).fill('Shop')
    },
    expected: () => ({ url: site, check_options: { steps: [{ action: 'expect_title', value: 'Shop' }] } }),
  },
  page_speed: {
    values: { Address: 'https://www.example.com/', 'Minimum score': '70' },
    expected: () => ({ ...hourly, check_options: { strategy: 'mobile', minimum_score: 70 } }),
  },
  malware: hostStory('Address', 'https://www.example.com/', hourly),
  repository: hostStory('Address of the repository', 'https://git.example.test/shop.git', {
    ...hourly,
    vulnerability_alerts: true,
  }),
  group: {
    values: {},
    further: async (page) => {
      for (const name of ['My http', 'My api']) await page.getByRole('checkbox', { name, exact: true }).check()
    },
    expected: (monitors) => {
      const idOf = (name: string): string => monitors.find((each) => each.name === name)?.id ?? assert.fail(name)
      return { url: null, check_options: { member_ids: [idOf('My http'), idOf('My api')], group_policy: 'all' } }
    },
  },
  heartbeat: {
    values: { 'A call is expected every': '2', 'A call may be late by': '90' },
    further: async (page) => {
      await page.getByLabel('A call may be late by, unit').selectOption({ label: 'seconds' })
      await page.getByLabel('A call is expected every, unit').selectOption({ label: 'hours' })
      await page.getByLabel('Schedule, in place of the interval').fill('30 2 * * 1-5')
      await page.getByLabel('Time zone of the schedule').fill('Europe/Vienna')
    },
    expected: () => ({
      url: null,
      interval_seconds: 7200,
      heartbeat_grace_seconds: 90,
      recovery_threshold: 1,
      check_options: { schedule: '30 2 * * 1-5', time_zone: 'Europe/Vienna' },
    }),
  },
  webhook: {
    values: { 'JSON path': 'sync.ok', 'Expected value': 'true' },
    expected: () => ({ url: null, check_options: { json_path: 'sync.ok', expected_value: true } }),
  },
  push_metric: {
    values: {
      'Down above this number': '95',
      'Degraded above this number': '80.5',
      'Degraded below this number': '-1',
      'Down below this number': '-10',
      Unit: '%',
    },
    expected: () => ({
      url: null,
      check_options: { down_below: -10, degraded_below: -1, degraded_above: 80.5, down_above: 95, unit: '%' },
    }),
  },
  mqtt: {
    values: { Address: 'mqtt://127.0.0.1:9', User: 'watcher', Password: 'hunter2' },
    further: async (page) => {
      await page.getByLabel('Version of the protocol').selectOption('5')
      await page.getByLabel('Topic of a message of its own').fill('perigee/check')
      await page.getByLabel('Quality of service').fill('1')
      await page.getByLabel('Watched topic').fill('plant/state')
      await page.getByLabel('Text in a message').fill('running')
    },
    expected: () => ({
      url: 'mqtt://127.0.0.1:9',
      check_options: {
        protocol_version: '5',
        topic: 'perigee/check',
        qos: 1,
        watched_topic: 'plant/state',
        expected_message: 'running',
      },
    }),
  },
  rabbitmq: {
    values: { Address: 'amqp://127.0.0.1:9/shop', User: 'watcher', Password: 'hunter2', Queue: 'orders' },
    further: async (page) => {
      await page.getByLabel('Degraded above so many messages').fill('1000')
      await page.getByLabel('Consumers at least').fill('2')
    },
    expected: () => ({
      url: 'amqp://127.0.0.1:9/shop',
      check_options: { queue: 'orders', max_messages: 1000, min_consumers: 2 },
    }),
  },
  mysql: {
    values: { Address: 'mysql://127.0.0.1:9/shop', User: 'watcher', Password: 'hunter2' },
    expected: () => ({ url: 'mysql://127.0.0.1:9/shop', check_options: { security: 'tls' } }),
  },
  postgresql: {
    values: { Address: 'postgresql://127.0.0.1:9/shop', User: 'watcher', Password: 'hunter2' },
    further: async (page) => {
      await page.getByLabel('Security').selectOption('none')
      await page.getByLabel('Expected role').selectOption('replica')
    },
    expected: () => ({
      url: 'postgresql://127.0.0.1:9/shop',
      check_options: { security: 'none', expected_role: 'replica' },
    }),
  },
  ldap: {
    values: { Address: 'ldap://127.0.0.1:9', 'Distinguished name': 'cn=watcher', Password: 'hunter2' },
    further: async (page) => {
      await page.getByLabel('Base of the search').fill('dc=example,dc=com')
      await page.getByLabel('Scope').selectOption('sub')
      await page.getByLabel('Filter').fill('(uid=ann)')
      await page.getByLabel('Entries at least').fill('2')
    },
    expected: () => ({
      url: 'ldap://127.0.0.1:9',
      check_options: { base: 'dc=example,dc=com', scope: 'sub', filter: '(uid=ann)', min_entries: 2 },
    }),
  },
  snmp: {
    values: { Host: '127.0.0.1:9', Community: 'hunter2' },
    further: async (page) => {
      await page.getByLabel('Version').selectOption('2c')
      await page.getByLabel('Variable').fill('1.3.6.1.4.1.2021.10.1.5.1')
      await page.getByLabel('Degraded above this number').fill('400')
    },
    expected: () => ({
      url: '127.0.0.1:9',
      check_options: { version: '2c', oid: '1.3.6.1.4.1.2021.10.1.5.1', max_value: 400 },
    }),
  },
  grpc: {
    values: { Address: 'grpc://127.0.0.1:9', Service: 'shop.v1.Orders' },
    expected: () => ({ url: 'grpc://127.0.0.1:9', check_options: { service: 'shop.v1.Orders' } }),
  },
  websocket: {
    values: { Address: 'ws://127.0.0.1:9/feed', 'Message to send': 'hunter2', 'Text in a message': 'welcome' },
    expected: () => ({ url: 'ws://127.0.0.1:9/feed', check_options: { expected_message: 'welcome' } }),
  },
  redis: {
    values: {
      Address: 'redis://127.0.0.1:9/1',
      Password: 'hunter2',
      'Key that must be there': 'state',
      'Expected value': '3',
    },
    expected: () => ({ url: 'redis://127.0.0.1:9/1', check_options: { key: 'state', expected_value: '3' } }),
  },
}
