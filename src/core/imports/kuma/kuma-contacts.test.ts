import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readKuma } from './kuma.ts'

const now = new Date('2026-11-26T12:00:00Z')

function contactOf(config: unknown, row: object = {}) {
  const text = typeof config === 'string' ? config : JSON.stringify(config)
  const notification = [{ id: 1, name: 'One', config: text, ...row }]
  const { contacts, notes } = readKuma({ monitor: [], notification }, now)
  return { input: contacts[0]?.input, notes: notes.map(({ effect, place }) => `${effect} ${place}`) }
}

const place = 'notification 1 "One"'
const slack = { type: 'slack', slackwebhookURL: 'https://hooks.slack.com/services/T0/B0/x' }
const pushover = { type: 'pushover', pushoverapptoken: 'a'.repeat(30), pushoveruserkey: 'u'.repeat(30) }
const pagerduty = { type: 'PagerDuty', pagerdutyIntegrationKey: '0123456789abcdef0123456789abcdef' }
const hook = 'https://discord.com/api/webhooks/123/abc'

describe('a notification of Uptime Kuma', () => {
  it('of Slack writes where its webhook says', () => {
    assert.deepEqual(contactOf(slack).notes, [])
    assert.deepEqual(contactOf({ ...slack, slackchannel: '#a' }).notes, [`changed ${place}.config.slackchannel`])
  })

  const addresses: [address: string, thread: string | null, expected: string][] = [
    [hook, null, hook],
    [hook, '5', `${hook}?thread_id=5`],
    [`${hook}?thread_id=4`, '5', `${hook}?thread_id=4`],
    [`${hook}?thread_id=4`, null, `${hook}?thread_id=4`],
  ]
  for (const [discordWebhookUrl, threadId, expected] of addresses)
    it(`of Discord at ${discordWebhookUrl} for the thread ${threadId} has the address ${expected}`, () => {
      const { input } = contactOf({ type: 'discord', discordWebhookUrl, threadId })
      assert.equal(input?.options?.['webhook_url'], expected)
    })

  it('of Discord has no address where only a thread is named', () =>
    assert.equal(contactOf({ type: 'discord', threadId: '5' }).input?.options, undefined))

  it('of PagerDuty is in the region of its address', () => {
    const places = ['https://events.eu.pagerduty.com/v2/enqueue', 'https://events.pagerduty.com/v2/enqueue', null]
    const regions = places.map(
      (address) => contactOf({ ...pagerduty, pagerdutyIntegrationUrl: address }).input?.options?.['region'],
    )
    assert.deepEqual(regions, ['eu', undefined, undefined])
  })

  it('of Pushover is an emergency by its priority alone', () => {
    const emergencies = [1, 2, 3].map(
      (priority) => contactOf({ ...pushover, pushoverpriority: priority }).input?.options?.['emergency'],
    )
    assert.deepEqual(emergencies, [undefined, true, undefined])
  })

  const ntfies: [config: object, options: object, notes?: string[]][] = [
    [{}, { priority: 5 }],
    [{ ntfyserverurl: 'https://ntfy.sh/' }, { priority: 5 }],
    [{ ntfyserverurl: 'https://ntfy.example.com/' }, { server: 'https://ntfy.example.com', priority: 5 }],
    [{ ntfyPriority: 2 }, { priority: 3 }],
    [{ ntfyPriority: 5 }, { priority: 5 }],
    [{ ntfyPriority: 5, ntfyPriorityDown: 1 }, { priority: 1 }],
    [
      { ntfyAuthenticationMethod: 'accessToken', ntfyaccesstoken: 'tk_a' },
      { priority: 5, token: 'tk_a' },
    ],
    [{ ntfyAuthenticationMethod: 'none', ntfyaccesstoken: 'tk_a' }, { priority: 5 }],
    [{ ntfyAuthenticationMethod: 'usernamePassword' }, { priority: 5 }, [`lost ${place}.config.ntfyusername`]],
  ]
  for (const [config, options, notes = []] of ntfies)
    it(`of ntfy is read of ${JSON.stringify(config)}`, () => {
      const found = contactOf({ type: 'ntfy', ntfytopic: 'perigee', ...config })
      assert.deepEqual([found.input?.options, found.notes], [options, notes])
    })

  it('of a webhook is sent as this service sends it', () => {
    const webhook = { type: 'webhook', webhookURL: 'https://a.example/hook' }
    const told = [`changed ${place}.config`]
    assert.deepEqual(contactOf({ ...webhook, httpMethod: 'post' }).notes, told)
    assert.deepEqual(contactOf({ ...webhook, httpMethod: 'GET' }).notes, [
      ...told,
      `changed ${place}.config.httpMethod`,
    ])
  })

  it('of mail is sent by the mail server of this service', () => {
    const mail = { type: 'smtp', smtpTo: 'ada@a.example' }
    assert.deepEqual(contactOf(mail).notes, [])
    assert.deepEqual(contactOf({ ...mail, smtpHost: 'a.example' }).notes, [`changed ${place}.config.smtpHost`])
  })

  it('that is off is left out', () => {
    assert.deepEqual(contactOf(slack, { active: 0 }), { input: undefined, notes: [`lost ${place}`] })
  })

  for (const config of ['{', '5', '{}', '{"type":"signal"}', '{"type":"constructor"}'])
    it(`of ${config} is lost`, () =>
      assert.deepEqual(contactOf(config), { input: undefined, notes: [`lost ${place}.config.type`] }))
})
