import assert from 'node:assert/strict'
import { it } from 'node:test'
import { holdsMask } from '#core/language/mask.ts'
import { shownAddress } from './shown-address.ts'

const cases = [
  ['slack', 'https://hooks.slack.com/services/T0/B0/secret?x=secret#secret', 'https://hooks.slack.com/••••••••'],
  ['slack', 'http://10.0.0.7:8065/hooks/secret', 'http://10.0.0.7:8065/••••••••'],
  ['slack', 'https://hooks.slack.com/••••••••', 'https://hooks.slack.com/••••••••'],
  ['webhook', 'https://example.com/in?key=1', 'https://example.com/in?key=1'],
  ['email', 'ann@example.com', 'ann@example.com'],
  ['of another release', 'anything', 'anything'],
] as const

for (const [kind, destination, shown] of cases)
  it(`of a contact of the kind ${kind}, ${destination} is shown as ${shown}`, () =>
    assert.equal(shownAddress({ kind, destination }), shown))

it('a mask is known as one, also where a client has encoded it', () => {
  assert.ok(holdsMask('https://hooks.slack.com/••••••••'))
  assert.ok(holdsMask(new URL('https://hooks.slack.com/••••••••').href))
  assert.ok(!holdsMask('https://hooks.slack.com/services/T0/B0/secret'))
})
