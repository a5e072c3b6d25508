import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { templateValues } from '#contacts/wording/template-values.ts'
import type { MessageTemplates } from '#core/contacts/message-templates.ts'
import { alertOf } from '../../test/support/alerts.ts'
import { type FairLimits, openFairTemplates } from './fair-templates.ts'
import type { TemplateOutcome } from './template-thread.ts'

const values = templateValues(alertOf('monitor.down'), 'https://perigee.example')
const good = { title: '{{ event }}', body: null }
/** Takes the processor until a limit of time ends it. */
const endless = {
  title: null,
  body:
    '{% assign s = "aaaaaaaaaa" %}{% for i in (1..9) %}{% assign s = s | append: s %}{% endfor %}' +
    '{% assign t = s | slice: 0, 2000 | prepend: "b" %}' +
    '{% assign a = (1..90000) | where_exp: "i", "s contains t" %}{{ a.size }}',
}
const down: TemplateOutcome = { words: { title: 'down', body: null }, problems: {} }
const tooLong = 'It takes too long.'
const held = 'It ran out of time or memory, and is tried again 10 minutes later.'

/** No test fails because its machine is busy: only what loops is ended, and only in an order that is asked for. */
const patient: Partial<FairLimits> = { waitMs: 300_000, renderMs: 60_000 }

function open(limits: Partial<FairLimits> = {}): ReturnType<typeof openFairTemplates> {
  const templates = openFairTemplates({ ...patient, ...limits })
  after(() => templates.close())
  return templates
}

describe('templates of one workspace', () => {
  it('neither delay those of another nor push them into the built-in words', async () => {
    const { render } = open()
    const order: string[] = []
    const told = async (workspaceId: string, at: number, templates: MessageTemplates) => {
      const outcome = await render({ workspaceId, contactId: `${workspaceId} ${at}` }, templates, values)
      order.push(workspaceId)
      return outcome
    }
    const hostile = Array.from({ length: 20 }, (_, at) => told('hostile', at, endless))
    const calm = await Promise.all(Array.from({ length: 10 }, (_, at) => told('calm', at, good)))
    for (const outcome of calm) assert.deepEqual(outcome, down)
    assert.ok(order.filter((who) => who === 'hostile').length < 20, order.join(' '))
    await Promise.all(hostile)
  })
})

describe('a template that ran out of time', () => {
  it('ends with its thread, and is not tried for ten minutes unless it is changed', async () => {
    let at = 0
    const { render } = open({ renderMs: 1, now: () => at })
    const problemOf = async (contactId: string, templates: MessageTemplates) => {
      const { problems } = await render({ workspaceId: 'one', contactId }, templates, values)
      return problems.body ?? problems.title
    }
    assert.equal(await problemOf('first', endless), tooLong)
    assert.equal(await problemOf('first', endless), held)
    assert.equal(await problemOf('second', endless), tooLong)
    assert.notEqual(await problemOf('first', { ...endless, title: 'Changed' }), held)
    at = 599_999
    assert.equal(await problemOf('second', endless), held)
    at = 600_000
    assert.equal(await problemOf('second', endless), tooLong)
  })
})

describe('templates that wait for their turn', () => {
  it('are bounded for each workspace and in all, and have the built-in words beyond', async () => {
    const { render } = open({ maxWaitingEach: 2, maxWaiting: 3 })
    const ask = (workspaceId: string) => render({ workspaceId, contactId: workspaceId }, good, values)
    const asked = await Promise.all(['one', 'one', 'one', 'two', 'two'].map(ask))
    const busy = { words: { title: null, body: null }, problems: { title: 'Too many templates were waiting.' } }
    assert.deepEqual(asked, [down, down, busy, down, busy])
  })

  it('have the built-in words when their time is over', async () => {
    const { render } = open({ waitMs: 1 })
    const ask = (at: number) => render({ workspaceId: 'one', contactId: `contact ${at}` }, endless, values)
    const asked = await Promise.all([1, 2, 3].map(ask))
    assert.deepEqual(asked.at(-1)?.problems, { body: 'Too many templates were waiting.' })
  })

  it('are answered when the threads are closed', async () => {
    const { render, close } = openFairTemplates(patient)
    await close()
    const { problems } = await render({ workspaceId: 'one', contactId: 'first' }, good, values)
    assert.deepEqual(problems, { title: 'It cannot be rendered.' })
  })
})
