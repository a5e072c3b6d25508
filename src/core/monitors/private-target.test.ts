import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testSettings } from '../../../test/support/settings.ts'
import type { MonitorInput, MonitorSettings } from './monitor.ts'
import { decidePrivateTarget } from './private-target.ts'

const router = { kind: 'http', url: 'http://192.168.1.1/', check_options: {} } as const
const allowed = testSettings({ ...router, allow_private_target: true })
const refused = testSettings({ ...router, allow_private_target: false })
const steps = [{ name: 'Sign in', url: 'http://192.168.1.1/sign-in' }]
const story = testSettings({ kind: 'transaction', check_options: { steps }, allow_private_target: true })

type Outcome = 'allowed' | 'not allowed' | 'refused'
type Case = [
  what: string,
  input: Partial<MonitorInput>,
  current: MonitorSettings | null,
  byOwner: Outcome,
  byOthers: Outcome,
]

const cases: Case[] = [
  ['a new monitor that does not ask', router, null, 'not allowed', 'not allowed'],
  ['a new monitor that asks', { ...router, allow_private_target: true }, null, 'allowed', 'refused'],
  ['a new monitor that wants none', { ...router, allow_private_target: false }, null, 'not allowed', 'not allowed'],
  ['a change of something else', { timeout_ms: 5000 }, allowed, 'allowed', 'allowed'],
  ['a record sent back', { ...router, allow_private_target: true }, allowed, 'allowed', 'allowed'],
  ['another address', { url: 'http://192.168.1.2/' }, allowed, 'allowed', 'not allowed'],
  [
    'another address that asks',
    { url: 'http://192.168.1.2/', allow_private_target: true },
    allowed,
    'allowed',
    'refused',
  ],
  ['another kind', { kind: 'api' }, allowed, 'allowed', 'not allowed'],
  ['taking it back', { allow_private_target: false }, allowed, 'not allowed', 'not allowed'],
  ['asking for it later', { allow_private_target: true }, refused, 'allowed', 'refused'],
  ['not asking later', { url: 'http://192.168.1.2/' }, refused, 'not allowed', 'not allowed'],
  ['no target, as kinds without one have it', { url: null }, allowed, 'allowed', 'allowed'],
  ['other options than steps', { check_options: { max_latency_ms: 500 } }, allowed, 'allowed', 'allowed'],
  ['the same steps', { check_options: { steps } }, story, 'allowed', 'allowed'],
  ['other steps', { check_options: { steps: [...steps, ...steps] } }, story, 'allowed', 'not allowed'],
  ['steps for what had none', { check_options: { steps } }, allowed, 'allowed', 'not allowed'],
]

describe('the permission to reach private addresses', () => {
  for (const [what, input, current, byOwner, byOthers] of cases)
    it(`is decided for ${what}`, () => {
      assert.equal(outcomeOf(input, current, true), byOwner, 'by an owner in person')
      assert.equal(outcomeOf(input, current, false), byOthers, 'by others')
    })
})

function outcomeOf(input: Partial<MonitorInput>, current: MonitorSettings | null, mayAllow: boolean): Outcome {
  const { isAllowed, problem } = decidePrivateTarget({ name: 'Router', ...input }, { current, mayAllow })
  if (problem !== null) return 'refused'
  return isAllowed ? 'allowed' : 'not allowed'
}
