import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { exportProject } from '#core/projects/export-project.ts'
import { yamlOf } from '#core/projects/yaml-text.ts'
import type { TestApi } from '../../../test/support/api.ts'
import {
  applyTo,
  confirmContacts,
  nothing,
  readWorkspace,
  shopApi,
  stateOf,
  team,
} from '../../../test/support/applying.ts'
import type { KillAt } from '../../../test/support/killing-proxy.ts'

const beforeReport = [
  '+ contacts.ada',
  '+ contacts.bob',
  '+ on_call_schedules.turns',
  '+ escalation_policies.first',
  '+ monitors.site',
  '+ objectives.promise',
  '+ objectives.tagged',
]

const textOf = async (api: TestApi) => yamlOf(exportProject('shop', await readWorkspace(api)))

/** The project without entries of these keys, and without sections that have no entry then. */
function without(...keys: string[]): string {
  const entries = keys.reduce(
    (text, key) => text.replace(new RegExp(`^ {2}- (\\{key: ${key},|key: ${key}$).*\\n( {4}.*\\n)*`, 'm'), ''),
    team,
  )
  return entries.replace(/^\w+:\n(?! )/gm, '')
}

function schedules(count: number): string {
  const entries = Array.from({ length: count }, (_, at) => `  - {key: s${at}, name: S${at}, time_zone: UTC}\n`)
  return `project: shop\non_call_schedules:\n${entries.join('')}`
}

describe('perigee apply of those who are told, and what is promised to them', () => {
  it('makes all in order, the report once its reader has confirmed', async () => {
    const api = await shopApi()
    const { run } = await applyTo(api)
    const [code, lines] = await run(team, ['--no-try'])
    assert.deepEqual([code, lines.slice(0, 7)], [1, beforeReport])
    const unconfirmed = 'recipients: contacts.ada is no confirmed email contact of this workspace.'
    assert.equal(lines[7], `! reports.weekly: The service answered 422: ${unconfirmed}`)
    await confirmContacts(api)
    assert.deepEqual(await run(team), [0, ['+ reports.weekly', 'shop: 1 created.'], ''])
    assert.deepEqual(await run(team), [0, [nothing], ''])
    const { on_call_schedules, escalation_policies, monitors, objectives, reports, contacts } = await readWorkspace(api)
    const [ada, bob] = contacts.map(({ id }) => id)
    assert.deepEqual(
      on_call_schedules[0]?.layers.map(({ participants }) => participants),
      [[ada, bob], [bob]],
    )
    assert.deepEqual(
      escalation_policies[0]?.steps.map(({ contact_ids, schedule_ids }) => [contact_ids, schedule_ids]),
      [
        [[], [on_call_schedules[0]?.id]],
        [[bob, ada], []],
      ],
    )
    assert.equal(monitors[0]?.escalation_policy_id, escalation_policies[0]?.id)
    assert.deepEqual(
      [objectives[0]?.monitor_ids, objectives[0]?.escalation_policy_id, reports[0]?.recipients],
      [[monitors[0]?.id], escalation_policies[0]?.id, [ada]],
    )
    assert.deepEqual(
      [on_call_schedules, escalation_policies, objectives, reports].map(([first]) => first?.project),
      ['turns', 'first', 'promise', 'weekly'].map((key) => ({ id: 'shop', key, pruned_at: null })),
    )
  })

  it('changes what differs, and nothing else', async () => {
    const api = await shopApi()
    const { run } = await applyTo(api)
    await run(team, ['--no-try'])
    await confirmContacts(api)
    await run(team)
    const changed = team
      .replace('participants: [ada, bob]', 'participants: [bob, ada]')
      .replace('after_minutes: 10', 'after_minutes: 15')
      .replace('monitors: [site], objective', 'tags: [shop], objective')
      .replace('objective: 99}', 'objective: 99.5, window_days: 7}')
      .replace('period: weekly', 'period: monthly, enabled: false')
    const labels = ['on_call_schedules.turns', 'escalation_policies.first', 'objectives.promise', 'objectives.tagged']
    assert.deepEqual(await run(changed), [
      0,
      [...labels, 'reports.weekly'].map((label) => `~ ${label}`).concat('shop: 5 changed.'),
      '',
    ])
    assert.deepEqual(await run(changed), [0, [nothing], ''])
    assert.deepEqual((await run(team))[1].at(-1), 'shop: 5 changed.')
    assert.deepEqual(await run(team), [0, [nothing], ''])
  })

  it('comes to the same state where it is killed again and again', async () => {
    const whole = await shopApi()
    const uncut = await applyTo(whole)
    await uncut.run(team, ['--no-try'])
    await confirmContacts(whole)
    await uncut.run(team)
    const killed = await shopApi()
    const points: KillAt[] = [
      { request: 2, moment: 'after' },
      { request: 1, moment: 'after' },
      { request: 1, moment: 'before' },
      { request: 1, moment: 'after' },
      { request: 2, moment: 'after' },
      { request: 1, moment: 'after' },
      { request: 1, moment: 'after' },
    ]
    const { run } = await applyTo(killed, points)
    const ends: (number | string)[] = []
    while (ends.length < points.length) {
      ends.push((await run(team, ['--no-try']))[0])
      await confirmContacts(killed)
    }
    assert.deepEqual(
      ends,
      points.map(() => 'SIGKILL'),
    )
    assert.equal((await run(team))[0], 0)
    assert.deepEqual(await stateOf(killed), await stateOf(whole))
    assert.deepEqual(await run(team), [0, [nothing], ''])
  })

  it('arrives in another workspace as it was exported', async () => {
    const from = await shopApi()
    const first = await applyTo(from)
    await first.run(team, ['--no-try'])
    await confirmContacts(from)
    await first.run(team)
    const text = await textOf(from)
    assert.doesNotMatch(text, /null|\[\]|false/)
    const to = await shopApi()
    const { run } = await applyTo(to)
    await run(text, ['--no-try'])
    await confirmContacts(to)
    assert.deepEqual((await run(text)).slice(0, 2), [0, ['+ reports.weekly', 'shop: 1 created.']])
    assert.deepEqual(await run(text), [0, [nothing], ''])
    assert.equal(await textOf(to), text)
  })

  it('switches a report off, keeps a schedule for a while, and deletes what the files had whole', async () => {
    let at = Date.parse('2026-05-01T12:00:00Z')
    const api = await shopApi({ now: () => new Date(at) })
    const { run } = await applyTo(api)
    await run(team, ['--no-try'])
    await confirmContacts(api)
    await run(team)
    const less = without('turns', 'first', 'promise', 'tagged', 'weekly').replace('escalation_policy: first, ', '')
    assert.deepEqual(await run(less, ['--prune=5']), [
      0,
      [
        '- reports.weekly  is deleted by the first --prune after 14 days',
        '- objectives.tagged  is deleted',
        '- objectives.promise  is deleted',
        '- escalation_policies.first  is deleted',
        '- on_call_schedules.turns  is deleted by the first --prune after 14 days',
        'shop: 2 rested, 3 deleted.',
      ],
      '',
    ])
    assert.deepEqual(await run(less, ['--prune']), [0, [nothing], ''])
    const rested = await readWorkspace(api)
    assert.deepEqual([rested.reports[0]?.enabled, rested.on_call_schedules.length], [false, 1])
    at += 13 * 86_400_000
    const [code, lines] = await run(team)
    assert.equal(code, 0)
    assert.deepEqual(lines.slice(0, 5), [
      '+ escalation_policies.first',
      '+ objectives.promise',
      '+ objectives.tagged',
      '~ on_call_schedules.turns',
      '~ monitors.site',
    ])
    assert.deepEqual(await run(team), [0, [nothing], ''])
    const back = await readWorkspace(api)
    assert.equal(back.on_call_schedules[0]?.id, rested.on_call_schedules[0]?.id)
    assert.equal(back.reports[0]?.enabled, true)
    await run(less, ['--prune=5'])
    at += 14 * 86_400_000
    assert.deepEqual((await run(less, ['--prune=5']))[1], [
      '- reports.weekly  is deleted',
      '- on_call_schedules.turns  is deleted',
      'shop: 2 deleted.',
    ])
  })

  it('changes nothing where there would be more than there may be', async () => {
    const api = await shopApi()
    const { run } = await applyTo(api)
    await run(schedules(3))
    assert.deepEqual(await run(schedules(51)), [
      1,
      [],
      'Nothing was changed: on_call_schedules: a workspace has at most 50, and would have 51.\n',
    ])
    assert.equal((await readWorkspace(api)).on_call_schedules.length, 3)
  })

  it('adopts what has the names of entries', async () => {
    const api = await shopApi()
    await api.post('/on-call-schedules', { name: 'Turns', time_zone: 'UTC' })
    const { run } = await applyTo(api)
    const one = 'project: shop\non_call_schedules:\n  - {key: turns, name: Turns, time_zone: UTC}\n'
    assert.equal((await run(one))[0], 1)
    assert.deepEqual(await run(one, ['--adopt']), [0, ['= on_call_schedules.turns', 'shop: 1 adopted.'], ''])
    assert.deepEqual(await run(one), [0, [nothing], ''])
  })
})
