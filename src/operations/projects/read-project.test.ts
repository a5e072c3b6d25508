import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ProjectError } from '#core/projects/project-error.ts'
import type { Project } from '#core/projects/project.ts'
import { shownReference } from '#core/projects/references.ts'
import { readProject } from './read-project.ts'

const environment: Record<string, string> = { TOKEN: 'hunter2', PORT: '8443' }
const files: Record<string, string> = { 'secrets/key': 'from a file\n' }

function read(...texts: string[]): Project {
  return readProject(
    texts.map((text, at) => ({ file: `${at + 1}.yaml`, text })),
    { environment: (name) => environment[name] ?? null, readFile: (path) => files[path] ?? null },
  )
}

/** Ids as what they stand for. */
function fieldsOf(project: Project, key: string): unknown {
  const entry = project.entries.find((each) => each.key === key)
  return JSON.parse(JSON.stringify(entry?.fields), (_name, value: unknown) => {
    const reference = typeof value === 'string' ? project.findReference(value) : null
    return reference === null ? value : `<${reference.to} ${shownReference(reference)}>`
  })
}

function problemsOf(...texts: string[]): string[] {
  try {
    read(...texts)
  } catch (error) {
    if (error instanceof ProjectError) return error.message.split('\n')
    throw error
  }
  return []
}

const shop = `
project: shop
variables: {domain: example.com, often: 60}
defaults:
  monitors: {interval_seconds: "\${often}", locations: [local], contacts: [ops]}
contacts:
  - {key: ops, name: Ops, kind: email, destination: ops@example.com, enabled: true}
monitors:
  - {key: router, name: Router, kind: ping, url: 192.0.2.1}
`.replace('"${often}"', '60')

describe('the files of a project', () => {
  it('name monitors by the fields of the API, and others by their keys', () => {
    const project = read(
      shop,
      `
monitors:
  - key: site
    name: Shop
    url: https://\${domain}/
    interval_seconds: \${often}
    depends_on: [router]
    contacts: [ops, {name: Boss}]
    escalation_policy: {name: First line}
    paused: true
  - key: all
    name: All
    kind: group
    check_options: {members: [site, router]}
status_pages:
  - key: public
    slug: shop
    title: Shop
    domain: Status.Example.com
    sections:
      - {name: Web, monitors: [site, {monitor: router, name: Net}, {name: Other}]}
maintenance:
  - {key: nights, name: Nights, schedule: {type: weekly, weekdays: [1], starts: "02:00", duration_minutes: 60}, monitors: [site]}
`,
    )
    assert.equal(project.id, 'shop')
    assert.deepEqual(fieldsOf(project, 'site'), {
      name: 'Shop',
      url: 'https://example.com/',
      interval_seconds: 60,
      locations: ['local'],
      alert_channel_ids: ['<contacts ops>', '<contacts "Boss">'],
      depends_on: ['<monitors router>'],
      escalation_policy_id: '<escalation_policies "First line">',
      paused: true,
    })
    assert.deepEqual(fieldsOf(project, 'all'), {
      name: 'All',
      kind: 'group',
      interval_seconds: 60,
      locations: ['local'],
      alert_channel_ids: ['<contacts ops>'],
      check_options: { member_ids: ['<monitors site>', '<monitors router>'], group_policy: 'all' },
    })
    assert.deepEqual(fieldsOf(project, 'public'), {
      slug: 'shop',
      title: 'Shop',
      domain: 'status.example.com',
      sections: [
        {
          name: 'Web',
          monitors: [
            { monitor_id: '<monitors site>', name: null },
            { monitor_id: '<monitors router>', name: 'Net' },
            { monitor_id: '<monitors "Other">', name: null },
          ],
        },
      ],
    })
    assert.partialDeepStrictEqual(fieldsOf(project, 'nights'), { monitor_ids: ['<monitors site>'] })
    assert.deepEqual(fieldsOf(project, 'ops'), {
      name: 'Ops',
      kind: 'email',
      destination: 'ops@example.com',
      enabled: true,
    })
  })

  it('make an entry for each of a list', () => {
    const project = read(`
project: shop
monitors:
  - for_each: [{name: eu, port: 443, tags: [a, b]}, {name: us, port: 8443, tags: []}]
    key: api-\${each.name}
    name: API \${each.name}
    kind: tcp
    url: \${each.name}.example.com:\${each.port}
    failure_threshold: 2
    tags: \${each.tags}
  - for_each: [2, 3]
    key: n\${each}
    name: "\${each}"
    url: https://example.com/
    failure_threshold: \${each}
`)
    assert.deepEqual(
      project.entries.map(({ key, fields }) => [key, fields['url'], fields['tags'], fields['failure_threshold']]),
      [
        ['api-eu', 'eu.example.com:443', ['a', 'b'], 2],
        ['api-us', 'us.example.com:8443', [], 2],
        ['n2', 'https://example.com/', undefined, 2],
        ['n3', 'https://example.com/', undefined, 3],
      ],
    )
  })

  it('take secrets from the environment and from files', () => {
    const project = read(`
project: shop
variables: {prefix: Bearer}
monitors:
  - key: site
    name: Site
    url: https://example.com:\${PORT}/
    request_headers: {authorization: "\${prefix} \${TOKEN}", x-key: "\${file:secrets/key}"}
    request_body: $\${not} {{ monitor.name }}
`)
    assert.partialDeepStrictEqual(fieldsOf(project, 'site'), {
      url: 'https://example.com:8443/',
      request_headers: { authorization: 'Bearer hunter2', 'x-key': 'from a file' },
      request_body: '${not} {{ monitor.name }}',
    })
  })

  const refusals: [name: string, texts: string[], told: string[]][] = [
    [
      'no project',
      ['monitors: []'],
      ['1.yaml:1: project: One of the files must name the project, as in "project: shop".'],
    ],
    ['two projects', ['project: a', 'project: b'], ['2.yaml:1: project: Is a in another file.']],
    [
      'an unknown section',
      ['project: a\nmonitor: []'],
      [
        '1.yaml:2: monitor: Is no section. There are project, variables, defaults, contacts, on_call_schedules, escalation_policies, monitors, status_pages, maintenance, objectives, reports.',
      ],
    ],
    [
      'an unknown field',
      ['project: a\nmonitors:\n  - key: b\n    name: B\n    url: https://b/\n    intervall: 60'],
      ['1.yaml:6: monitors.b.intervall: Unknown field.'],
    ],
    [
      'a wrong value',
      ['project: a\nmonitors:\n  - key: b\n    name: B\n    interval_seconds: 5\n    timeout_ms: soon'],
      [
        '1.yaml:5: monitors.b.interval_seconds: Must be at least 10.',
        '1.yaml:6: monitors.b.timeout_ms: Must be a number.',
      ],
    ],
    [
      'a wrong option',
      [
        'project: a\nmonitors:\n  - key: b\n    name: B\n    kind: ssl\n    url: b.example.com\n    check_options:\n      warn_days: 0',
      ],
      ['1.yaml:8: monitors.b.check_options.warn_days: Must be at least 1.'],
    ],
    [
      'options that are missing',
      ['project: a\ncontacts:\n  - {key: b, name: B, kind: telegram, destination: "@abcdef"}'],
      ['1.yaml:3: contacts.b.options.token: This field is required.'],
    ],
    [
      'a kind of contact that is not there',
      ['project: a\ncontacts:\n  - {key: b, name: B, kind: pigeon, destination: loft}'],
      ['1.yaml:3: contacts.b.kind: This release does not know this kind of contact.'],
    ],
    [
      'a variable that is not set',
      ['project: a\nmonitors:\n  - key: b\n    name: B\n    url: https://b/${MISSING}'],
      ['1.yaml:5: The variable MISSING is not set.'],
    ],
    [
      'a file that is not there',
      ['project: a\nmonitors:\n  - {key: b, name: "${file:none}"}'],
      ['1.yaml:3: The file none cannot be read.'],
    ],
    [
      'each without a list',
      ['project: a\nmonitors:\n  - {key: b, name: "${each}"}'],
      ['1.yaml:3: ${each} has a meaning only beside for_each.'],
    ],
    [
      'a member that one of the list lacks',
      ['project: a\nmonitors:\n  - for_each: [{x: 1}, {}]\n    key: b${each.x}\n    name: B'],
      [
        '1.yaml:4: ${each.x}: this one of for_each has no x.',
        '1.yaml:4: key: Must have at most 80 of a-z, 0-9, -, _ and ., with a letter or digit first.',
      ],
    ],
    [
      'a key twice',
      [
        'project: a\ncontacts: [{key: b, name: B, kind: email, destination: b@example.com}]',
        'contacts: [{key: b, name: B, kind: email, destination: b@example.com}]',
      ],
      ['2.yaml:1: key: b is the key of another of contacts, at 1.yaml:2.'],
    ],
    [
      'no key',
      ['project: a\nmonitors:\n  - name: B'],
      ['1.yaml:3: key: This field is required. It must be unique within monitors.'],
    ],
    [
      'a key that nothing has',
      ['project: a\nmonitors:\n  - key: b\n    name: B\n    url: https://b/\n    contacts: [ops]'],
      ['1.yaml:6: The project has no ops among its contacts.'],
    ],
    [
      'ids',
      ['project: a\nmonitors:\n  - {key: b, name: B, url: "https://b/", alert_channel_ids: []}'],
      ['1.yaml:3: monitors.b.alert_channel_ids: Is called contacts here, and names keys, not ids.'],
    ],
    [
      'a page with a monitor that is not there',
      [
        'project: a\nstatus_pages:\n  - key: b\n    slug: bbb\n    title: B\n    sections:\n      - monitors:\n          - monitor: c',
      ],
      ['1.yaml:8: The project has no c among its monitors.'],
    ],
    [
      'a window without an end',
      [
        'project: a\nmaintenance:\n  - key: b\n    name: B\n    schedule: {type: once, starts_at: 2026-01-02T00:00:00Z, ends_at: 2026-01-01T00:00:00Z}',
      ],
      ['1.yaml:5: maintenance.b.schedule.ends_at: Must be later than starts_at.'],
    ],
    ['a list of monitors that is none', ['project: a\nmonitors: {b: 1}'], ['1.yaml:2: monitors: Must be a list.']],
  ]
  for (const [name, texts, told] of refusals)
    it(`are refused for ${name}, with the line`, () => assert.deepEqual(problemsOf(...texts), told))

  it('throw nothing but their own error', () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(
          'a',
          '${each}',
          '${each.a}',
          '${TOKEN}',
          '${',
          '$${',
          '${file:x}',
          'group',
          '__proto__',
          null,
          1,
          true,
        ),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(
          fc.constantFrom(
            'key',
            'name',
            'kind',
            'for_each',
            'contacts',
            'depends_on',
            'check_options',
            'members',
            'sections',
            'monitors',
            'monitor',
            'schedule',
            'type',
            'options',
            'layers',
            'participants',
            'steps',
            'schedules',
            'recipients',
            'a',
            '__proto__',
          ),
          tie('any'),
          { maxKeys: 4 },
        ),
      ),
    })).any
    const names = fc.constantFrom(
      'project',
      'variables',
      'defaults',
      'contacts',
      'monitors',
      'status_pages',
      'maintenance',
      'on_call_schedules',
      'escalation_policies',
      'objectives',
      'reports',
    )
    fc.assert(
      fc.property(fc.dictionary(names, fc.oneof(value, fc.array(value, { maxLength: 3 }))), (content) => {
        problemsOf(JSON.stringify(content))
      }),
      { numRuns: 1000 },
    )
  })
})
