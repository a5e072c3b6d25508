import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { z } from 'zod'
import { createProjectSchema } from '#api-document/project-schema.ts'
import { contactKinds } from '#contacts/index.ts'
import { kindNames } from '#core/monitors/kind-traits.ts'
import { differencesOf, type Matching } from '#core/projects/changes.ts'
import { exportProject } from '#core/projects/export-project.ts'
import { exportSchema, type WorkspaceExport } from '#core/projects/export-record.ts'
import type { Project } from '#core/projects/project.ts'
import { yamlOf } from '#core/projects/yaml-text.ts'
import { kinds } from '#kinds/index.ts'
import { addMember } from '#store/people/members.ts'
import { exampleOf } from '../../../test/support/kind-pages.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { peopleApi } from '../../../test/support/people.ts'
import { entrySchemas, readProject } from './read-project.ts'
import { secretOptionsOf } from './secret-options.ts'

const created = z.looseObject({ data: z.looseObject({ id: z.string() }) })
const exported = z.object({ data: exportSchema })

/** As export writes it: the keys of both are made of the same names. */
const matching: Matching = {
  find: (entry, present) => present.find(({ section, key }) => section === entry.section && key === entry.key) ?? null,
  secretOptions: secretOptionsOf,
}

const secrets: Record<string, string> = {
  CHAT_TOKEN: '123456:ABC-DEF1234567890abcdefgh',
  ROOM_DESTINATION: 'https://hooks.slack.com/services/T0/B0/verysecret',
  SITE_AUTHORIZATION: 'Bearer verysecret',
  SHOP_PASSWORD: 'verysecret password',
  SHOPPING_STEPS_1_X_KEY: 'verysecret',
}

const environment = (name: string) => secrets[name] ?? `secret-of-${name}`.slice(0, 32)

function read(text: string): Project {
  return readProject([{ file: 'project.yaml', text }], { environment, readFile: () => null })
}

describe('what a workspace is set to', async () => {
  const people = await peopleApi()
  const { api } = people
  const { workspaceId, readToken } = api
  const { browser, personId } = await people.newcomer('member@example.com')
  const role = (to: 'member' | 'viewer') =>
    api.database.pool.query('update members set role = $1 where person_id = $2 and workspace_id = $3', [
      to,
      personId,
      workspaceId,
    ])
  await api.database.transaction((tx) => addMember(tx, { workspaceId, personId, role: 'member', at: new Date() }))

  async function make(path: string, body: Record<string, unknown>): Promise<string> {
    const answer = await browser.api('POST', path, { workspace: workspaceId, body })
    assert.equal(answer.status, 201, answer.text)
    return created.parse(answer.body).data.id
  }

  async function ask(token = readToken): Promise<{ text: string; workspace: WorkspaceExport }> {
    const answer = await api.get('/export', { token })
    assert.equal(answer.status, 200, answer.text)
    return { text: answer.text, workspace: exported.parse(answer.body).data }
  }

  async function differences(project: Project) {
    return differencesOf(project, (await ask()).workspace, matching)
  }

  const ops = await make('/alert-channels', {
    name: 'Ops',
    kind: 'email',
    destination: 'ops@example.com',
    alert_rules: { events: ['down', 'up'], after_minutes: 5 },
    templates: { title: '{{ monitor.name }} is ${down}' },
    tags: ['night'],
  })
  await make('/alert-channels', {
    name: 'Chat',
    kind: 'telegram',
    destination: '-1001234567890',
    options: { token: secrets['CHAT_TOKEN'], message_thread_id: 7 },
  })
  await make('/alert-channels', { name: 'Room', kind: 'slack', destination: secrets['ROOM_DESTINATION'] })
  await make('/alert-channels', { name: 'Room', kind: 'webhook', destination: 'https://example.com/hook' })
  const policy = await make('/escalation-policies', {
    name: 'First line',
    steps: [{ after_minutes: 0, contact_ids: [ops] }],
  })
  const router = await make('/monitors', { name: 'Router', kind: 'ping', url: '192.0.2.1', alert_channel_ids: [] })
  const site = await make('/monitors', {
    name: 'Site',
    url: 'https://example.com/${path}',
    interval_seconds: 60,
    request_headers: { Authorization: secrets['SITE_AUTHORIZATION'] },
    request_body: 'line one\nline two: "yes"\n',
    method: 'POST',
    keyword: '~',
    depends_on: [router],
    alert_channel_ids: [ops],
    escalation_policy_id: policy,
    tags: ['on', 'Ünïcode'],
    alert_rules: { after_minutes: 5, critical: true },
  })
  await make('/monitors', { name: 'Site', kind: 'heartbeat', heartbeat_grace_seconds: 60 })
  await make('/monitors', {
    name: 'All of it',
    kind: 'group',
    check_options: { member_ids: [site, router], group_policy: 'any' },
  })
  await make('/monitors', {
    name: 'Shopping',
    kind: 'transaction',
    url: 'https://example.com/',
    check_options: {
      steps: [
        { url: 'https://example.com/' },
        { url: 'https://example.com/basket', headers: { 'x-key': 'verysecret' } },
      ],
    },
  })
  for (const kind of kindNames.filter((name) => name !== 'group')) await createMonitor(api, exampleOf(kind))
  await api.post(`/monitors/${router}/pause`)
  await make('/status-pages', {
    slug: 'shop',
    title: 'Shop',
    language: 'de',
    accent: '#8a2be2',
    layout: 'compact',
    visibility: 'password',
    password: secrets['SHOP_PASSWORD'],
    sections: [{ name: 'Web', monitors: [{ monitor_id: site }, { monitor_id: router, name: 'Net' }] }],
  })
  await make('/maintenance-windows', {
    name: 'Nights',
    schedule: { type: 'weekly', weekdays: [1, 5], starts: '02:00', duration_minutes: 30 },
    time_zone: 'Europe/Berlin',
    monitor_ids: [site, router],
  })
  await make('/maintenance-windows', {
    name: 'Move',
    schedule: { type: 'once', starts_at: '2099-01-01T00:00:00Z', ends_at: '2099-01-01T01:00:00Z' },
  })

  const gone = await make('/monitors', { name: 'Gone', url: 'https://example.com/gone' })
  const left = await make('/alert-channels', { name: 'Left', kind: 'email', destination: 'left@example.com' })
  await api.database.pool.query("update alert_channels set confirmed = true where kind = 'email'")
  const turns = { rotation: { every: 1, unit: 'weeks' }, hand_over: '09:00', start_date: '2026-11-02' }
  const schedule = await make('/on-call-schedules', {
    name: 'Turns',
    time_zone: 'UTC',
    layers: [{ ...turns, participants: [left, ops] }],
  })
  const nights = await make('/on-call-schedules', { name: 'Nights', time_zone: 'UTC' })
  await make('/escalation-policies', {
    name: 'Second line',
    steps: [
      { after_minutes: 0, contact_ids: [left, ops], schedule_ids: [schedule] },
      { after_minutes: 5, contact_ids: [left], schedule_ids: [nights] },
      { after_minutes: 10, contact_ids: [ops] },
    ],
  })
  await make('/escalation-policies', { name: 'Nobody', steps: [{ after_minutes: 0, contact_ids: [left] }] })
  const promise = { objective: 99.9, alert_channel_ids: [ops, left], escalation_policy_id: policy }
  await make('/slos', { ...promise, name: 'Promise', monitor_ids: [site, gone] })
  await make('/slos', { ...promise, name: 'Of nothing', monitor_ids: [gone] })
  const report = { period: 'weekly', time_zone: 'UTC', recipients: [ops, left] }
  await make('/reports', { ...report, name: 'Weekly', monitor_ids: [site, gone] })
  await make('/reports', { ...report, name: 'About nothing', monitor_ids: [gone] })
  await make('/reports', { ...report, name: 'To nobody', recipients: [left] })
  await make('/maintenance-windows', {
    name: 'Of nothing',
    schedule: { type: 'weekly', weekdays: [1], starts: '02:00', duration_minutes: 30 },
    monitor_ids: [gone],
  })
  const calendar = await browser.api('POST', `/on-call-schedules/${schedule}/calendar`, { workspace: workspaceId })
  assert.ok(calendar.status < 300, calendar.text)
  for (const path of [`/monitors/${gone}`, `/alert-channels/${left}`, `/on-call-schedules/${nights}`])
    assert.equal((await api.request('DELETE', path)).status, 204)

  it('names nothing that is deleted, and no calendar', async () => {
    const { text, workspace } = await ask()
    for (const id of [gone, left, nights]) assert.doesNotMatch(text, new RegExp(id))
    const { escalation_policies: policies, on_call_schedules: schedules, objectives, reports } = workspace
    assert.deepEqual(
      policies.map(({ steps }) => steps.map((step) => [...step.contact_ids, ...step.schedule_ids])),
      [[[ops]], [[ops, schedule], [], [ops]], [[]]],
    )
    assert.deepEqual(
      schedules.map(({ layers, has_calendar: has }) => [layers[0]?.participants, has]),
      [[[ops], true]],
    )
    assert.doesNotMatch(text, /\.ics|on-call\//)
    assert.deepEqual(
      objectives.map(({ monitor_ids: ids, alert_channel_ids: told, escalation_policy_id: by }) => [ids, told, by]),
      [
        [[site], [ops], policy],
        [[], [ops], policy],
      ],
    )
    assert.deepEqual(
      reports.map(({ monitor_ids: ids, recipients }) => [ids, recipients]),
      [
        [[site], [ops]],
        [[], [ops]],
        [null, []],
      ],
    )
  })

  it('is told to a token that may read, without its secrets', async () => {
    const { text, workspace } = await ask()
    assert.doesNotMatch(text, /verysecret|ABC-DEF/)
    const found = workspace.monitors.find(({ id }) => id === site)
    assert.deepEqual(found?.secrets, [['request_headers', 'Authorization']])
    assert.deepEqual(found?.alert_channel_ids, [ops])
    assert.equal(workspace.monitors.find(({ name }) => name === 'All of it')?.alert_channel_ids, null)
    assert.deepEqual(
      workspace.contacts.map(({ kind, secrets: set }) => [kind, ...set.map((path) => path.join('.'))]),
      [['email'], ['telegram', 'options.token'], ['slack', 'destination'], ['webhook']],
    )
    assert.deepEqual(workspace.status_pages[0]?.secrets, [['password']])
    assert.deepEqual((await ask(api.token)).workspace.monitors, workspace.monitors)
  })

  it('shows a viewer neither bodies nor the names of headers', async () => {
    await role('viewer')
    const answer = await browser.api('GET', '/export', { workspace: workspaceId })
    await role('member')
    const found = exported.parse(answer.body).data.monitors.find(({ id }) => id === site)
    assert.deepEqual(found?.secrets, [['request_headers']])
    assert.doesNotMatch(answer.text, /line one|Authorization/)
  })

  it('is nothing of another workspace', async () => {
    const other = await api.addWorkspace()
    const { workspace } = await ask(other.token)
    const { exported_at: at, ...lists } = workspace
    assert.ok(Date.parse(at) > 0)
    assert.deepEqual(Object.values(lists).flat(), [])
  })

  it('comes back as it is when it is written to a file and read again', async () => {
    const { document, variables } = exportProject('shop', (await ask()).workspace)
    const text = yamlOf({ document, variables })
    assert.match(text, /language: de\n *accent: .#8a2be2.\n *layout: compact/)
    assert.doesNotMatch(text, /verysecret|ABC-DEF/)
    assert.deepEqual(
      variables.slice(0, 3).map(({ name, path }) => `${name} ${path}`),
      ['CHAT_TOKEN options.token', 'ROOM_DESTINATION destination', 'SITE_AUTHORIZATION request_headers.Authorization'],
    )
    const project = read(text)
    const schema = createProjectSchema({ entries: entrySchemas, kinds, contactKinds })
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema)
    assert.ok(validate(document), JSON.stringify(validate.errors))
    assert.equal(project.entries.length, 4 + 1 + 2 + 5 + kindNames.length - 1 + 1 + 2 + 1 + 1)
    const second = project.entries.find(({ key }) => key === 'second-line')
    assert.partialDeepStrictEqual(second?.fields, { steps: [{ after_minutes: 0 }, { after_minutes: 5 }] })
    const { changes, others, unclear } = await differences(project)
    assert.deepEqual({ changes, unclear }, { changes: [], unclear: [] })
    assert.deepEqual(
      others.map(({ name }) => name),
      ['Nobody', 'Of nothing', 'Of nothing', 'About nothing', 'To nobody'],
    )
  })

  it('is compared field by field with what files say', async () => {
    const text = `
project: shop
monitors:
  - {key: site, name: Site, interval_seconds: 120, depends_on: [], contacts: [{name: Ops}], timeout_ms: 10000}
  - {key: router, name: Edge router, paused: false, request_headers: {x-key: new}, contacts: [chat]}
  - {key: new, name: New, url: "https://example.com/"}
contacts:
  - {key: chat, name: Chat, kind: telegram, destination: "-1001234567890", options: {token: "\${CHAT_TOKEN}"}}
`
    const { changes, others, unclear } = await differences(read(text))
    assert.deepEqual(
      changes.map((change) => {
        const fields = change.type === 'change' ? change.fields.map(({ field }) => field) : []
        return [change.type, change.entry.key].concat(fields)
      }),
      [
        ['change', 'chat', 'options'],
        ['change', 'site', 'interval_seconds', 'depends_on'],
        ['change', 'router', 'name', 'alert_channel_ids', 'paused', 'request_headers.x-key'],
        ['create', 'new'],
      ],
    )
    assert.equal(others.length, 3 + 1 + 3 + 3 + kindNames.length - 1 + 1 + 3 + 2 + 3)
    assert.deepEqual(unclear, [])
  })

  it('names what is not there, or there twice', async () => {
    const monitor = '{key: site, name: Site, contacts: [{name: Room}, {name: Nobody}], escalation_policy: {name: None}}'
    const { unclear } = await differences(read(`project: shop\nmonitors: [${monitor}]`))
    assert.deepEqual(unclear, [
      { to: 'contacts', name: 'Room' },
      { to: 'contacts', name: 'Nobody' },
      { to: 'escalation_policies', name: 'None' },
    ])
    assert.equal((await api.get(`/export/${randomUUID()}`)).status, 404)
  })
})
