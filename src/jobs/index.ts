import type { Task } from 'graphile-worker'
import { z } from 'zod'
import { findContactKind } from '#contacts/index.ts'
import { deliveryDays } from '#core/contacts/delivery.ts'
import { evidenceDays } from '#core/incidents/evidence.ts'
import { routeDays } from '#core/incidents/route.ts'
import { createPageLanguages } from '#core/status-pages/page-languages.ts'
import { dayMs } from '#core/language/utc-day.ts'
import { type Within, withinNothing } from '#core/log-lines.ts'
import type { OtlpReceiver } from '#core/results/otlp.ts'
import type { Tracer } from '#otlp/tracer.ts'
import { forgetAgents } from '#store/people/agent-forgetting.ts'
import type { Commits } from '#store/database/commits.ts'
import { sweepDeliveries } from '#store/contacts/delivery-nudges.ts'
import { forgetDeliveries } from '#store/contacts/delivery-log.ts'
import { forgetImports } from '#store/imports/imports.ts'
import { forgetAuditEntries } from '#store/workspaces/audit.ts'
import { forgetKeys } from '#store/database/idempotency.ts'
import { forgetEvidence } from '#store/incidents/evidence.ts'
import { forgetViews } from '#store/incidents/views.ts'
import { forgetRoutes } from '#store/incidents/routes.ts'
import { forgetInvitations } from '#store/people/invitations.ts'
import { forgetFailedJobs, releaseDeadWorkers } from '#store/database/job-queue.ts'
import { forgetMonitorTask } from '#store/monitors/monitor-removal.ts'
import { createDeliveryStore } from '#store/delivery-store.ts'
import { isWaitingWork } from '#store/waiting-work.ts'
import { mailLane } from '#store/contacts/lanes.ts'
import { mailTask } from '#store/contacts/notices.ts'
import { forgetOver } from '#store/people/people.ts'
import { createResultPartitions } from '#store/results/result-partitions.ts'
import { tellTask } from '#store/status-pages/page-events.ts'
import { backupChore, type BackupOrders } from './backups.ts'
import { type CompactionParts, compactionChores } from './history.ts'
import { deliver, type DeliveryParts } from '#jobs/contacts/deliver.ts'
import { expiryChores } from '#jobs/expiries/expiry.ts'
import { feedChores } from '#jobs/software/feeds.ts'
import { forgetMonitor } from './forget-monitor.ts'
import { mailConnections } from '#jobs/contacts/mail-transport.ts'
import { maintenanceChores } from './maintenance.ts'
import { objectiveChores } from './objectives.ts'
import { onCallChores } from '#jobs/contacts/on-call.ts'
import { measured } from '#jobs/runner/measured.ts'
import { tellMissingLocations } from './missing-locations.ts'
import { tellNetworkTurns } from './network-turns.ts'
import { otlpChore } from './otlp-push.ts'
import { heartbeatChore } from './own-heartbeat.ts'
import { tellTroubles } from './operator-troubles.ts'
import { notify } from '#jobs/contacts/notify.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'
import { paymentChores } from '#jobs/money/payment-sweep.ts'
import { alertStepChores } from '#jobs/contacts/alert-steps.ts'
import { renewalChores } from '#jobs/money/renewals.ts'
import { reportChores } from './reports.ts'
import { runWhatWaits } from '#jobs/runner/look.ts'
import { keepRunning } from '#jobs/runner/runner.ts'
import { beginSending, type Work } from '#jobs/runner/sending-gate.ts'
import { softwareChores } from '#jobs/software/software.ts'
import { resealingChore } from './resealing.ts'
import { sealingChores } from './sealing.ts'
import { signChore, sumUpChore } from './signed-history.ts'
import { storingChore } from './storing.ts'
import { statusChores } from './status-chores.ts'
import { openFairTemplates } from '#templates/fair-templates.ts'
import { tell } from './status-news.ts'
import { type Chore, repeat } from '#jobs/runner/timer.ts'
import { vatIdChores } from '#jobs/money/vat-ids.ts'

export type JobsOptions = Omit<JobParts, 'now' | 'textsIn' | 'renderTemplates'> & {
  /** Jobs at a time in this process. */
  concurrency: number
  now?: () => Date
  /** Of this process, where no other one writes to the database. Default: others do. */
  commits?: Commits | null
  /** Lines of the log that a job writes name it. */
  within?: Within
  /** Called while the installation does what it is for; null for no such call. */
  heartbeatUrl: string | null
  /** Default: no delivery is traced. */
  tracer?: Tracer | null
  /** Where results are pushed; null for nowhere. */
  otlp: OtlpReceiver | null
  /** Where, how often and how backups are made; null for none. */
  backups: BackupOrders | null
} & Pick<CompactionParts, 'retention' | 'observer'>

const second = 1000
const minute = 60 * second
const hour = 60 * minute
/** Twice the longest attempt and then some; a job held longer has no worker any more. */
const deadAfterMs = 2 * minute
const deliveriesAtOnce = 5000
const evidenceAtOnce = 500
/** Mail that waited for a connection would use up the time of its attempt; the removal of results is work on disk. */
const laneLimits = new Map([
  [mailLane, mailConnections],
  [forgetMonitorTask, 3],
])

/**
 * Works the job queue and does the chores until it is stopped, whatever the database does meanwhile. What leaves the
 * installation begins once the operator lets a restored copy send (runner/sending-gate.ts).
 */
export async function startJobs(options: JobsOptions): Promise<{ stop: () => Promise<void> }> {
  const { database, concurrency, log, within = withinNothing, commits = null } = options
  const templates = openFairTemplates()
  const now = options.now ?? ((): Date => new Date())
  const parts = { ...options, textsIn: createPageLanguages(), renderTemplates: templates.render, now, within }
  const begin = async ({ tasks, chores }: Work): Promise<{ stop: () => Promise<void> }> => {
    const runner = await keepRunning({
      database,
      concurrency,
      limits: laneLimits,
      log,
      tasks,
      onChanged: () => commits?.note(),
    })
    const all = chores.map((chore) => measuredChore(chore, parts))
    const looked = all.filter(({ name }) => isWaitingWork(name))
    const working = [
      runner,
      runWhatWaits(looked, { database, now, log, onJobs: runner.hurry, commits }),
      ...all.filter((chore) => !looked.includes(chore)).map((chore, place) => repeat(chore, log, place)),
    ]
    return { stop: async () => void (await Promise.all(working.map(({ stop }) => stop()))) }
  }
  const working = await beginSending({ database, log, inward: inwardWork(parts), outward: outwardWork(parts) }, begin)
  return {
    stop: async () => {
      try {
        await working.stop()
      } finally {
        await templates.close()
      }
    },
  }
}

type AllParts = JobParts &
  Pick<JobsOptions, 'heartbeatUrl' | 'otlp' | 'tracer' | 'backups' | 'retention'> & { within: Within } & Pick<
    CompactionParts,
    'observer'
  >

/** What changes the database alone, or reads from elsewhere. Alerts and mails that it makes are jobs, which wait. */
function inwardWork(parts: AllParts): Work {
  return {
    tasks: measuredTasks(parts, {
      [forgetMonitorTask]: (payload, { abortSignal }) => forgetMonitor(parts.database, payload, abortSignal),
    }),
    chores: [
      ...choresOf(parts),
      sumUpChore(parts),
      ...compactionChores(parts),
      ...expiryChores(parts),
      ...vatIdChores(parts),
      ...feedChores(parts),
      ...softwareChores(parts),
      ...statusChores(parts),
      ...maintenanceChores(parts),
      ...alertStepChores(parts),
      ...onCallChores(parts),
      ...objectiveChores(parts),
      ...sealingChores(parts),
      resealingChore(parts),
      storingChore(parts),
      ...(parts.backups === null ? [] : [backupChore(parts, parts.backups)]),
    ],
  }
}

/** What somebody outside gets: alerts, mails, charges, results. */
function outwardWork(parts: AllParts): Work {
  const { database, log, now, within, heartbeatUrl, otlp } = parts
  const delivery = deliveryPartsOf(parts)
  return {
    tasks: measuredTasks(parts, {
      deliver: (payload, { abortSignal }) => {
        const { delivery_id: id } = deliverPayload.parse(payload)
        return within({ delivery_id: id }, () => deliver(id, delivery, abortSignal))
      },
      [mailTask]: (payload, { abortSignal }) => notify(payload, parts, abortSignal),
      [tellTask]: (payload, { abortSignal }) => tell(payload, parts, abortSignal),
    }),
    chores: [
      ...renewalChores(parts),
      ...paymentChores(parts),
      ...reportChores(parts),
      signChore(parts),
      { name: 'tell_troubles', everyMs: minute, run: () => tellTroubles(parts) },
      ...(heartbeatUrl === null ? [] : [heartbeatChore({ database, log, heartbeatUrl })]),
      ...(otlp === null ? [] : [otlpChore({ database, log, now, receiver: otlp })]),
    ],
  }
}

const deliverPayload = z.object({ delivery_id: z.uuid() })

type Measuring = Pick<AllParts, 'observer' | 'within'>

function measuredTasks({ observer, within }: Measuring, tasks: Record<string, Task>): Record<string, Task> {
  return Object.fromEntries(
    Object.entries(tasks).map(([task, run]): [string, Task] => [
      task,
      (payload, helpers) =>
        within({ task, job_id: helpers.job.id }, () => measured({ task, observer }, () => run(payload, helpers))),
    ]),
  )
}

function deliveryPartsOf(parts: JobParts & Pick<JobsOptions, 'tracer'>): DeliveryParts {
  return {
    ...parts,
    store: createDeliveryStore(parts.database),
    findContactKind,
    timeout: (ms) => AbortSignal.timeout(ms),
    random: Math.random,
  }
}

function measuredChore(chore: Chore, { observer, within }: Measuring): Chore {
  const { name: task } = chore
  return {
    ...chore,
    run: (signal) => within({ task, job_id: null }, () => measured({ task, observer }, () => chore.run(signal))),
  }
}

function choresOf(parts: JobParts): Chore[] {
  const { database, log, now } = parts
  const count = (what: string, done: Promise<number>): Promise<void> =>
    done.then((number) => (number > 0 ? log.info(what, { number }) : undefined))
  return [
    ...forgettingsOf(parts),
    {
      name: 'sweep_deliveries',
      everyMs: 30 * second,
      run: () => count('Overdue deliveries were nudged.', sweepDeliveries(database)),
    },
    {
      name: 'release_dead_workers',
      everyMs: minute,
      run: () =>
        count(
          'Jobs of dead workers were handed back.',
          releaseDeadWorkers(database, { tasks: ['deliver', mailTask, tellTask], heldMs: deadAfterMs }),
        ),
    },
    { name: 'tell_missing_locations', everyMs: 30 * second, run: () => tellMissingLocations(parts) },
    { name: 'tell_network_turns', everyMs: 10 * second, run: () => tellNetworkTurns(parts) },
    { name: 'create_result_partitions', everyMs: 6 * hour, run: () => createResultPartitions(database, now()) },
    {
      name: 'forget_failed_jobs',
      everyMs: hour,
      run: () => count('Jobs that had failed for good were removed.', forgetFailedJobs(database)),
    },
  ]
}

/** Each step is bounded; what is left waits for the next time. */
function forgettingsOf({ database, log, now }: JobParts): Chore[] {
  const forget = (name: string, everyMs: number, one: Omit<Forgetting, 'log'>): Chore => ({
    name,
    everyMs,
    run: (signal) => drain({ ...one, log }, signal),
  })
  return [
    forget('forget_idempotency_keys', 10 * minute, {
      what: 'Idempotency keys were forgotten.',
      step: () => forgetKeys(database, now()),
    }),
    forget('forget_agents', 10 * minute, {
      what: 'What agents can use no more was removed.',
      step: () => forgetAgents(database, now()),
    }),
    forget('forget_sign_ins', hour, {
      what: 'Sessions and links that are over were removed.',
      step: () => forgetOver(database, now()),
    }),
    forget('forget_invitations', hour, {
      what: 'Invitations that nobody accepted were removed.',
      step: () => forgetInvitations(database, now()),
    }),
    forget('forget_deliveries', hour, {
      what: 'Old entries of delivery logs were removed.',
      step: () => forgetDeliveries(database, new Date(now().getTime() - deliveryDays * dayMs), deliveriesAtOnce),
    }),
    forget('forget_evidence', hour, {
      what: 'Old evidence of incidents was removed.',
      step: () => forgetEvidence(database, new Date(now().getTime() - evidenceDays * dayMs), evidenceAtOnce),
    }),
    forget('forget_views', hour, {
      what: 'Old views of locations were removed.',
      step: () => forgetViews(database, new Date(now().getTime() - evidenceDays * dayMs), evidenceAtOnce),
    }),
    forget('forget_routes', hour, {
      what: 'Old routes to targets were removed.',
      step: () => forgetRoutes(database, new Date(now().getTime() - routeDays * dayMs), evidenceAtOnce),
    }),
    forget('forget_imports', hour, {
      what: 'Old imports, and what is left of idle ones, were removed.',
      step: () => forgetImports(database, now()),
    }),
    forget('forget_audit_entries', hour, {
      what: 'Old entries of audit logs were removed.',
      step: () => forgetAuditEntries(database, now()),
    }),
  ]
}

/** `step` removes a bounded number and says how many there were. */
type Forgetting = { what: string; step: () => Promise<number>; log: JobParts['log'] }

const stepsAtOnce = 1000

/** Strangers can add more in an hour than one step removes, so the work goes on until there is nothing left. */
async function drain({ what, step, log }: Forgetting, signal: AbortSignal): Promise<void> {
  let number = 0
  for (let steps = 0; steps < stepsAtOnce && !signal.aborted; steps += 1) {
    const removed = await step()
    if (removed === 0) break
    number += removed
  }
  if (number > 0) log.info(what, { number })
}
