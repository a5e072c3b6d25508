import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { templateValues } from '#contacts/wording/template-values.ts'
import { alertTypes } from '#core/contacts/alerting.ts'
import { findingFields, templateFields } from '#core/contacts/template-fields.ts'
import { alertOf, statusAlertOf } from '../../test/support/alerts.ts'
import { createRenderer } from './render.ts'
import { openFairTemplates } from './fair-templates.ts'
import { createTemplates } from './template-thread.ts'

const publicUrl = 'https://perigee.example'
const down = templateValues(alertOf('monitor.down'), publicUrl)
const up = templateValues(alertOf('monitor.up'), publicUrl)
const patient = { timeoutMs: 60_000 }

describe('templates of messages', () => {
  const render = createRenderer()
  const bodyOf = (body: string, values = down): string => {
    const made = render({ templates: { title: null, body }, values }).body
    return made === null ? 'nothing' : made.ok ? made.text : `! ${made.problem}`
  }
  const titleOf = (title: string): string => {
    const made = render({ templates: { title, body: null }, values: down }).title
    return made?.ok === true ? made.text : `! ${made?.problem}`
  }

  const cases: readonly [template: string, made: string][] = [
    ['{{ event }}: {{ monitor.name | upcase }}', 'down: SHOP API'],
    ['{% if event == "up" %}back{% else %}{{ incident.cause }}{% endif %}', 'The server answered 503.'],
    ['{{ monitor.url }}', 'https://shop.example/health'],
    ['{{ result.status_code | plus: 1 }} {{ result.latency_ms }} ms at {{ result.location }}', '504 87 ms at fra'],
    ['{{ incident.started_at | date: "%H:%M" }}', '10:00'],
    ['{{ incident.started_at | date: "%H:%M", "Europe/Berlin" }}', '11:00'],
    ['{{ incident.duration }}.', '.'],
    ['{{ link }}', 'https://perigee.example/incidents/6f1d4c0a-94b5-4f5e-8f3e-0a6f5f1d2c22'],
    ['one\n\n\n\n  two \t three\r\nfour\u202e', 'one\n\ntwo three\nfour'],
    ['{{ monitor.constructor.name }}', '! There is no field monitor.constructor.name.'],
    ['{{ monitor["__proto__"] }}', '! There is no field monitor.__proto__.'],
    ['{% assign key = "constructor" %}{{ monitor[key] }}.', '.'],
    ['{% if incident %}x{% endif %}', '! There is no field incident.'],
    [
      '{% tablerow f in (1..2) %}{{ tablerowloop.index }}{% endtablerow %}',
      '<tr class="row1"><td class="col1">1</td><td class="col2">2</td></tr>',
    ],
    ['{% for n in (1..2) %}{{ forloop.index }}{% increment x %}{{ x }}{% endfor %}', '101212'],
    ['{{ nmae }}', '! There is no field nmae.'],
    ['{{ monitor.name.size }} {{ findings.size }} {{ findings.first.summary }}', '8 0'],
    ['{{ children.total }}{{ children.names.size }} {{ maintenance.names | join }}', '0'],
    ['{{ children.names.nope }}', '! There is no field children.names.nope.'],
    ['{{ children.nope }}', '! There is no field children.nope.'],
    ['{{ findings[0].nope }}', '! There is no field findings.0.nope.'],
    ['{{ event', '! Line 1: output "{{ event" not closed.'],
    ['a\n{% fi %}', '! Line 2: tag "fi" not found.'],
    ['{% for x in\n %}', '! Line 1: illegal tag: {% for x in %}.'],
    ['{{ event | shout }}', '! Line 1: undefined filter: shout.'],
    ['{% include "/etc/passwd" %}', '! Line 1: tag "include" not found.'],
    ['{% render "a" %}', '! Line 1: tag "render" not found.'],
    ['{% layout "a" %}', '! Line 1: tag "layout" not found.'],
    ['{% if event == "up" %}back{% endif %}', '! It came to nothing.'],
  ]
  for (const [template, made] of cases)
    it(`make of ${JSON.stringify(template)} ${JSON.stringify(made)}`, () => assert.equal(bodyOf(template), made))

  it('tell how long an outage lasted once it is over', () =>
    assert.equal(bodyOf('{{ incident.duration }}', up), '4 min'))

  it('tell what depends on the monitor that is down', () => {
    const { type, timestamp, data } = statusAlertOf('monitor.down')
    const children = { total: 12, names: ['Blog', 'Wiki\n<b>'] }
    const values = templateValues({ type, timestamp, data: { ...data, children } }, publicUrl)
    const named = '{{ children.names | join: ", " }}; {{ children.names.last }}, {{ children.names[0].size }}'
    assert.equal(bodyOf(`{{ children.total }}: ${named}`, values), '12: Blog, Wiki <b>; Wiki <b>, 4')
    assert.equal(bodyOf('{% for name in children.names limit: 1 %}{{ name }}{% endfor %}', values), 'Blog')
  })

  it('tell of maintenance', () => {
    const values = templateValues(alertOf('maintenance.started'), publicUrl)
    const template = '{{ event }} {{ maintenance.name }} {{ maintenance.total }}: {{ maintenance.names | join: ", " }}'
    assert.equal(bodyOf(template, values), 'maintenance_started Database upgrade 5: Blog, Shop, Shop API, Wiki')
    assert.equal(bodyOf('{{ maintenance.starts_at | date: "%H:%M" }}–{{ maintenance.ends_at | date: "%H:%M" }}', values), '10:00–12:00') // prettier-ignore
  })

  it('make a title of one line', () => {
    assert.equal(titleOf('{{ event }}\nBcc: all@example.com'), 'down Bcc: all@example.com')
    assert.equal(titleOf('{% for i in (1..400) %}x{% endfor %}').length, 250)
  })

  it('make a body of bounded length', () => {
    assert.ok(bodyOf('{% for i in (1..3000) %}{{ i }} {% endfor %}').length <= 4000)
    assert.ok(bodyOf('{% for i in (1..3000) %}x\n{% endfor %}').split('\n').length <= 100)
  })

  it('can name every field of the list, and each of a finding', () => {
    for (const { name } of templateFields) assert.doesNotMatch(bodyOf(`-{{ ${name} }}`), /^!/, name)
    const found = templateValues(alertOf('vulnerability.found'), publicUrl)
    for (const { name } of findingFields)
      assert.doesNotMatch(bodyOf(`-{% for finding in findings %}{{ finding.${name} }}{% endfor %}`, found), /^!/, name)
    assert.equal(bodyOf('{{ total }}: {{ findings.first.vuln_id }}', found), '1: CVE-2026-0001')
  })

  const page = readFileSync(new URL('../../docs/contacts/templates.md', import.meta.url), 'utf8')

  it('make of the example on their page what it says', () => {
    const example = /```liquid\n([^`]*)```/.exec(page)?.[1] ?? ''
    const found = templateValues(alertOf('vulnerability.found'), publicUrl)
    assert.equal(bodyOf(example), 'The server answered 503. (seen from fra at 11:00)')
    assert.equal(bodyOf(example, up), 'It was down for 4 min.')
    assert.equal(bodyOf(example, found), '1 new:\nhigh: nginx 1.26.1, CVE-2026-0001')
    assert.equal(bodyOf(example, templateValues(alertOf('domain.expiring'), publicUrl)), 'Ends in 7 days.')
  })

  it('have each field on their page', () => {
    const rows = page.replaceAll(/ +/g, ' ')
    for (const { name, type, about } of [...templateFields, ...findingFields])
      assert.ok(rows.includes(`| \`${name}\` | ${type} | ${about} |`), name)
  })

  it('are given values that are text, numbers or lists of them, whatever the alert', () => {
    for (const type of alertTypes) {
      const values = templateValues(alertOf(type), publicUrl)
      assert.doesNotMatch(JSON.stringify(values), /secret|token/)
      assert.match(String(values['event']), /^[a-z_]+$/)
    }
  })

  it('throw nothing, whatever they are', () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), (some) => {
        const { body } = render({ templates: { title: null, body: some.join(' ') || 'x' }, values: down })
        assert.ok(body !== null && (body.ok || /^[A-Z].*\.$/.test(body.problem)), JSON.stringify(body))
      }),
      { numRuns: 300 },
    ))
})

const pieces = [
  '{{',
  '}}',
  '{%',
  '%}',
  '{% if',
  '{% endif %}',
  '{% for x in',
  '{% endfor %}',
  '(1..9)',
  'assign a =',
  '|',
  ':',
  'event',
  'monitor',
  '.name',
  '[0]',
  '"',
  "'",
  'split',
  'join',
  'date',
  'raw',
  '{% raw %}',
  '-',
  '==',
  'and',
  '\n',
]

function doubled(text: string, times: number, use: string): string {
  return `{% assign s = "${text}" %}{% for i in (1..${times}) %}{% assign s = s | append: s %}{% endfor %}${use}`
}

describe('hostile templates', () => {
  const fair = openFairTemplates({ waitMs: 60_000, renderMs: 60_000 })
  after(() => fair.close())
  const hostile: Readonly<Record<string, string>> = {
    'a long loop': '{% for i in (1..100000000) %}x{% endfor %}',
    'a long range': '{{ (1..100000000) | join: "" }}',
    'loops in loops':
      '{% for i in (1..9999) %}{% for j in (1..9999) %}{% for k in (1..9999) %}{% endfor %}{% endfor %}{% endfor %}',
    'a long table': '{% tablerow i in (1..10000000) cols:1 %}a{% endtablerow %}',
    'a text that doubles': doubled('aaaaaaaaaa', 40, '{{ s }}'),
    'a text that squares':
      '{% assign s = "aaaaaaaaaa" %}{% for i in (1..9) %}{% assign s = s | replace: "a", s %}{% endfor %}',
    'patterns of long texts': doubled('<!--<script ', 13, '{% for i in (1..999) %}{{ s | strip_html }}{% endfor %}'),
    'sorting of much': doubled(
      'ab',
      15,
      '{% for i in (1..999) %}{% assign z = s | split: "" | sort | uniq %}{% endfor %}',
    ),
    'widths of numbers': '{{ "now" | date: "%999999999d" }}',
    'expressions for each':
      '{% assign a = (1..90000) | where_exp: "i", "i > 1" | group_by_exp: "i", "i" %}{{ a.size }}',
    'what is never closed': '{% if true %}'.repeat(300),
    'opening marks': '{{'.repeat(2000),
    brackets: `{{ event${'[event'.repeat(650)}${']'.repeat(650)} }}`,
  }
  for (const [what, body] of Object.entries(hostile))
    it(`of ${what} end with a problem, and the next one is rendered`, async () => {
      const { words, problems } = await fair.render(
        { workspaceId: 'one', contactId: what },
        { title: '{{ event }}', body },
        down,
      )
      if (problems.body === undefined) assert.ok((words.body ?? '').length <= 4000)
      else assert.match(problems.body, /^[A-Z].*\.$/)
      assert.equal(words.title, 'down')
    })

  it('are found before they are kept', async () => {
    const check = createTemplates(patient)
    assert.deepEqual((await check({ title: '{% fi %}', body: '{{ event }}' }, null)).problems, {
      title: 'Line 1: tag "fi" not found.',
    })
  })
})
