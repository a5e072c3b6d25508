import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { ClusterStatus } from '#core/operator-status.ts'
import type { HistoryObserver } from '#jobs/history.ts'
import type { JobsObserver } from '#jobs/runner/job-parts.ts'
import { addGauges } from './metrics-gauge.ts'

export function createJobsObserver(registers: Registry[]): JobsObserver & HistoryObserver {
  return { ...createDeliveryMetrics(registers), ...createHistoryMetrics(registers), ...createTaskMetrics(registers) }
}

function createDeliveryMetrics(registers: Registry[]): Pick<JobsObserver, 'attempted'> {
  const attempts = new Counter({
    name: 'perigee_deliveries_total',
    help: 'Attempts to deliver alerts, by kind of contact and outcome: delivered, retry, or failed for good.',
    labelNames: ['kind', 'outcome'],
    registers,
  })
  const delays = new Histogram({
    name: 'perigee_delivery_delay_seconds',
    help: 'From an occasion to the attempt by which its alert was delivered.',
    labelNames: ['kind'],
    buckets: [0.5, 1, 2, 5, 10, 30, 60, 300, 1800, 7200, 43_200],
    registers,
  })
  return {
    attempted: ({ kind, outcome, delaySeconds }) => {
      attempts.inc({ kind, outcome })
      if (outcome === 'delivered') delays.observe({ kind }, delaySeconds)
    },
  }
}

function createTaskMetrics(registers: Registry[]): Pick<JobsObserver, 'ran'> {
  const runs = new Counter({
    name: 'perigee_jobs_total',
    help: 'Runs of jobs and of regular chores, by task and outcome: done or failed.',
    labelNames: ['task', 'outcome'],
    registers,
  })
  const durations = new Histogram({
    name: 'perigee_job_duration_seconds',
    help: 'Time that runs took, by task.',
    labelNames: ['task'],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60, 300],
    registers,
  })
  return {
    ran: ({ task, isDone, seconds }) => {
      runs.inc({ task, outcome: isDone ? 'done' : 'failed' })
      durations.observe({ task }, seconds)
    },
  }
}

function createHistoryMetrics(registers: Registry[]): HistoryObserver {
  const merged = new Counter({
    name: 'perigee_results_merged_total',
    help: 'Rows of results that became part of others.',
    registers,
  })
  const rewritten = new Counter({
    name: 'perigee_result_tables_rewritten_total',
    help: 'Tables of a day of results that were rewritten into hours.',
    registers,
  })
  const lag = new Gauge({
    name: 'perigee_merge_lag_seconds',
    help: 'How late the monitor is whose results wait longest to be merged.',
    registers,
  })
  return {
    merged: (rows) => merged.inc(rows),
    rewritten: () => rewritten.inc(),
    mergeLag: (seconds) => lag.set(seconds),
  }
}

export type Queues = Pick<ClusterStatus, 'deliveries' | 'jobs' | 'mail' | 'backup'>

/** Null where there is nothing to show. */
const queueGauges: readonly { name: string; help: string; of: (queues: Queues) => number | null }[] = [
  {
    name: 'perigee_deliveries_pending',
    help: 'Alerts that have not ended.',
    of: ({ deliveries }) => deliveries.pending,
  },
  {
    name: 'perigee_deliveries_overdue',
    help: 'Alerts that nobody attempts although they have been due for 60 s, through no fault of their receivers.',
    of: ({ deliveries }) => deliveries.overdue,
  },
  {
    name: 'perigee_deliveries_held_up',
    help: 'Alerts that have been due for 60 s and wait because their receivers fail or are slow.',
    of: ({ deliveries }) => deliveries.held_up,
  },
  {
    name: 'perigee_jobs_waiting',
    help: 'Jobs in the queue that nobody works on, due or not.',
    of: ({ jobs }) => jobs.waiting,
  },
  {
    name: 'perigee_jobs_overdue',
    help: 'Jobs that nobody works on although they have been due for 90 s.',
    of: ({ jobs }) => jobs.overdue,
  },
  {
    name: 'perigee_jobs_failed',
    help: 'Jobs that used up their attempts within the last day.',
    of: ({ jobs }) => jobs.failed,
  },
  {
    name: 'perigee_mail_failing_seconds',
    help: 'How long the mail server has taken no mail; 0 while it does.',
    of: ({ mail }) => mail?.failing_seconds ?? 0,
  },
  {
    name: 'perigee_backup_age_seconds',
    help: 'Since the last backup was made by the schedule; absent while there is none.',
    of: ({ backup }) => backup?.age_seconds ?? null,
  },
  {
    name: 'perigee_backup_size_bytes',
    help: 'Size of the last backup that the schedule made; absent while there is none.',
    of: ({ backup }) => (backup === null || backup.age_seconds === null ? null : backup.size_bytes),
  },
  {
    name: 'perigee_backup_failing_seconds',
    help: 'How long no backup could be made; 0 while the last attempt made one.',
    of: ({ backup }) => backup?.failing?.seconds ?? 0,
  },
]

/** The queues are the whole installation's: every process with jobs shows the same. */
export function addQueueGauges(registers: Registry[], readQueues: () => Promise<Queues>): void {
  for (const { name, help, of } of queueGauges)
    addGauges(registers, {
      name,
      help,
      labelNames: [],
      read: async () => {
        const value = of(await readQueues())
        return value === null ? [] : [[{}, value] as const]
      },
    })
}
