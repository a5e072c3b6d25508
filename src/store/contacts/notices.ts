import type { Notice } from '#core/contacts/notice.ts'
import type { Transaction } from '#store/database/database.ts'
import { addJobs } from '#store/database/job-queue.ts'
import { mailLane } from './lanes.ts'

export const mailTask = 'mail'
/** graphile-worker waits e^attempt seconds, six hours at most: twelve tries take some 22 hours. */
const mailAttempts = 12
/** Alerts go first where mail is slow. */
const behindAlerts = 2

/** The mails leave when the transaction has committed. */
export async function enqueueNotices(transaction: Transaction, notices: readonly Notice[]): Promise<void> {
  await addJobs(
    transaction,
    notices.map((notice) => ({
      task: mailTask,
      payload: notice,
      maxAttempts: mailAttempts,
      priority: behindAlerts,
      lane: mailLane,
    })),
  )
}
