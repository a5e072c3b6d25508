import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ProjectError } from '#core/projects/project-error.ts'
import type { Project } from '#core/projects/project.ts'
import { shownReference } from '#core/projects/references.ts'
import { readProject } from './read-project.ts'

function read(text: string): Project {
  return readProject([{ file: '1.yaml', text }], { environment: () => null, readFile: () => null })
}

/** Ids as what they stand for. */
function fieldsOf(project: Project, key: string): unknown {
  const entry = project.entries.find((each) => each.key === key)
  return JSON.parse(JSON.stringify(entry?.fields), (_name, value: unknown) => {
    const reference = typeof value === 'string' ? project.findReference(value) : null
    return reference === null ? value : `<${reference.to} ${shownReference(reference)}>`
  })
}

function problemsOf(text: string): string[] {
  try {
    read(text)
  } catch (error) {
    if (error instanceof ProjectError) return error.message.split('\n')
    throw error
  }
  return []
}

describe('schedules, policies, objectives and reports in the files of a project', () => {
  it('name contacts, schedules and policies by their keys at any depth', () => {
    const project = read(
      `
project: shop
contacts: [{key: ops, name: Ops, kind: email, destination: ops@example.com}]
on_call_schedules:
  - key: turns
    name: Turns
    time_zone: UTC
    layers:
      - {participants: [ops, {name: Boss}], rotation: {every: 1, unit: days}, hand_over: "09:00", start_date: 2026-11-02}
escalation_policies:
  - key: first
    name: First
    steps: [{after_minutes: 0, schedules: [turns]}, {after_minutes: 5, contacts: [ops], schedules: [{name: Nights}]}]
monitors:
  - {key: router, name: Router, kind: ping, url: 192.0.2.1}
  - {key: site, name: Site, url: "https://example.com/", escalation_policy: first}
objectives:
  - {key: promise, name: Promise, objective: 99.9, monitors: [site], contacts: [ops], escalation_policy: {name: Second}}
reports:
  - {key: weekly, name: Weekly, period: weekly, time_zone: UTC, monitors: [site, router], recipients: [ops]}
`,
    )
    assert.partialDeepStrictEqual(fieldsOf(project, 'turns'), {
      layers: [{ participants: ['<contacts ops>', '<contacts "Boss">'], name: null, restrictions: [] }],
    })
    assert.partialDeepStrictEqual(fieldsOf(project, 'first'), {
      steps: [
        { after_minutes: 0, contact_ids: [], schedule_ids: ['<on_call_schedules turns>'] },
        { after_minutes: 5, contact_ids: ['<contacts ops>'], schedule_ids: ['<on_call_schedules "Nights">'] },
      ],
    })
    assert.partialDeepStrictEqual(fieldsOf(project, 'site'), { escalation_policy_id: '<escalation_policies first>' })
    assert.deepEqual(fieldsOf(project, 'promise'), {
      name: 'Promise',
      objective: 99.9,
      monitor_ids: ['<monitors site>'],
      alert_channel_ids: ['<contacts ops>'],
      escalation_policy_id: '<escalation_policies "Second">',
    })
    assert.partialDeepStrictEqual(fieldsOf(project, 'weekly'), {
      monitor_ids: ['<monitors site>', '<monitors router>'],
      recipients: ['<contacts ops>'],
    })
  })

  const refusals: [name: string, texts: [string], told: string[]][] = [
    [
      'ids in a step',
      [
        'project: a\nescalation_policies:\n  - key: b\n    name: B\n    steps:\n      - {after_minutes: 0, contact_ids: []}',
      ],
      [
        '1.yaml:6: escalation_policies.b.steps.0.contact_ids: Is called contacts here, and names keys, not ids.',
        '1.yaml:6: escalation_policies.b.steps.0.contact_ids: Must name a contact, or an on-call schedule.',
      ],
    ],
    [
      'a schedule that is not there',
      [
        'project: a\nescalation_policies:\n  - key: b\n    name: B\n    steps:\n      - {after_minutes: 0, schedules: [c]}',
      ],
      ['1.yaml:6: The project has no c among its on_call_schedules.'],
    ],
    [
      'two default policies',
      [
        `project: a
contacts: [{key: c, name: C, kind: email, destination: c@example.com}]
escalation_policies:
  - {key: b, name: B, is_default: true, steps: [{after_minutes: 0, contacts: [c]}]}
  - {key: d, name: D, is_default: true, steps: [{after_minutes: 0, contacts: [c]}]}`,
      ],
      ['1.yaml:5: escalation_policies.d.is_default: Only one policy is the default, and b is it already.'],
    ],
    [
      'an objective of nothing',
      ['project: a\nobjectives:\n  - key: b\n    name: B\n    objective: 99'],
      ['1.yaml:3: objectives.b.monitor_ids: Give either monitor_ids or tags.'],
    ],
    [
      'a report about nothing',
      [
        'project: a\ncontacts: [{key: c, name: C, kind: email, destination: c@example.com}]\nreports:\n  - key: b\n    name: B\n    period: weekly\n    time_zone: UTC\n    recipients: [c]\n    monitors: []',
      ],
      ['1.yaml:9: reports.b.monitors: Must name a monitor, where there are no tags.'],
    ],
  ]
  for (const [name, [text], told] of refusals)
    it(`are refused for ${name}, with the line`, () => assert.deepEqual(problemsOf(text), told))
})
