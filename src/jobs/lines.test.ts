import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import type { Subject } from '#core/log-lines.ts'
import { addJobs } from '#store/database/job-queue.ts'
import { jobsDatabase } from '../../test/support/jobs.ts'
import { until } from '../../test/support/until.ts'

describe('lines of a job', () => {
  it('name its task and its row, those of a chore its task, and those of a delivery the delivery', async () => {
    const { database, start } = await jobsDatabase()
    const subjects: Subject[] = []
    const { logged } = await start({
      within: (subject, work) => {
        subjects.push(subject)
        return work()
      },
    })
    const id = randomUUID()
    await database.transaction((tx) =>
      addJobs(tx, [
        { task: 'deliver', payload: { delivery_id: id }, maxAttempts: 1 },
        { task: 'deliver', payload: { delivery_id: 'none' }, maxAttempts: 1 },
      ]),
    )
    await until(
      'both ran',
      async () => subjects.filter((each) => 'task' in each && each.task === 'deliver').length === 2,
    )
    await until('the failure is told', async () => logged.some(({ message }) => message === 'A job failed.'))
    assert.deepEqual(
      subjects.find((each) => 'delivery_id' in each),
      { delivery_id: id },
    )
    assert.ok(subjects.some((each) => 'task' in each && each.task === 'sweep_deliveries' && each.job_id === null))
    const rows = subjects.flatMap((each) => ('task' in each && each.task === 'deliver' ? [each.job_id] : []))
    const { task, job_id: failed } = logged.find(({ message }) => message === 'A job failed.')?.details ?? {}
    assert.equal(task, 'deliver')
    assert.ok(rows.every((row) => /^\d+$/.test(String(row))) && rows.includes(String(failed)), JSON.stringify(rows))
  })
})
