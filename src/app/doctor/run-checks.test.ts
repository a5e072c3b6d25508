import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { examineConfig } from '#config/config.ts'
import { good } from '#core/doctor-report.ts'
import type { DoctorCheck } from './doctor-check.ts'
import { openDoctor } from './open-doctor.ts'
import { runChecks } from './run-checks.ts'

const { context } = openDoctor(examineConfig({ PERIGEE_DATA_DIR: '/nowhere' }), { mailTo: null, timeServer: null })
const fine: DoctorCheck = { name: 'fine', look: async () => [good('all', 'It is fine.')] }

describe('the checks of the doctor', () => {
  it('are told in their order, each with the name of its check', async () => {
    const second: DoctorCheck = { name: 'second', look: async () => [good('one', 'One.'), good('two', 'Two.')] }
    const findings = await runChecks([fine, second], context)
    assert.deepEqual(
      findings.map(({ check, subject }) => `${check}: ${subject}`),
      ['fine: all', 'second: one', 'second: two'],
    )
  })

  it('go on beside one that throws, whose finding shows no password', async () => {
    const broken: DoctorCheck = {
      name: 'broken',
      look: () => {
        throw new Error('connect to postgres://me:hidden@db.example.com failed')
      },
    }
    const [failed, other] = await runChecks([broken, fine], context)
    assert.equal(failed?.verdict, 'bad')
    assert.equal(failed?.found, 'It failed: connect to postgres://…@db.example.com failed')
    assert.equal(other?.verdict, 'good')
  })

  it('end one that hangs at its deadline, and tell it so', async () => {
    let isAborted = false
    const hanging: DoctorCheck = {
      name: 'hanging',
      look: (_context, signal) => {
        signal.addEventListener('abort', () => (isAborted = true))
        return new Promise(() => {})
      },
    }
    const [late, other] = await runChecks([hanging, fine], context, { deadlineMs: 20 })
    assert.equal(late?.found, 'It was not done within 0.02 s.')
    assert.equal(late?.verdict, 'bad')
    assert.equal(other?.verdict, 'good')
    assert.ok(isAborted)
  })

  it('have no more time than all of them together', async () => {
    const hanging: DoctorCheck = { name: 'hanging', look: () => new Promise(() => {}) }
    const [late] = await runChecks([hanging], context, { deadlineMs: 60_000, totalMs: 10 })
    assert.equal(late?.found, 'It was not done within 0.01 s.')
  })
})
