import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { load } from 'js-yaml'
import { z } from 'zod'

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

const rules = z
  .object({
    groups: z.array(
      z.object({
        rules: z.array(z.object({ alert: z.string(), annotations: z.object({ runbook_url: z.url() }) })),
      }),
    ),
  })
  .parse(load(read('deploy/prometheus/alerts.yaml')))
  .groups.flatMap((group) => group.rules)

/** The text of each section by its heading. */
const sections = new Map(
  read('docs/runbooks.md')
    .split('\n## ')
    .slice(1)
    .map((section) => {
      const [heading = '', ...lines] = section.split('\n')
      return [heading, lines.join('\n')] as const
    }),
)

describe('docs/runbooks.md', () => {
  it('has a section for each rule of Prometheus, in their order, and no other', () =>
    assert.deepEqual(
      [...sections.keys()],
      rules.map(({ alert }) => alert),
    ))

  for (const { alert, annotations } of rules)
    it(`is where ${alert} leads, and says what to do`, () => {
      assert.ok(annotations.runbook_url.endsWith(`/docs/runbooks.md#${alert.toLowerCase()}`), annotations.runbook_url)
      const text = sections.get(alert) ?? ''
      for (const part of ['How to see it.', 'What to do.', 'When to wake someone.'])
        assert.match(text, new RegExp(`\\n\\*\\*${part.replace('.', '\\.')}\\*\\* \\S`))
    })
})
