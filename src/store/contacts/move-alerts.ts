import type { Transaction } from '#store/database/database.ts'

/**
 * After the clock went back by so many seconds (less than zero): alerts, steps of policies and jobs that were planned by
 * the former time would wait until that comes again, and what a process had taken would count as taken until then. All of
 * them stay as far away as they were. What the end of quiet hours holds is looked at too early, and waits again.
 */
export async function moveAlertTimes(client: Transaction['client'], seconds: number): Promise<void> {
  await client.query(
    `update deliveries
    set due_at = ${moved('due_at')}, held_until = ${moved('held_until')}, claimed_at = ${moved('claimed_at')},
      awaits_parents_until = ${moved('awaits_parents_until')}
    where state = 'pending'
      and greatest(due_at, claimed_at, held_until, awaits_parents_until) > now()`,
    [seconds],
  )
  await client.query(
    `update alert_steps
    set due_at = ${moved('due_at')}, awaits_parents_until = ${moved('awaits_parents_until')}
    where greatest(due_at, awaits_parents_until) > now()`,
    [seconds],
  )
  await client.query(
    `update graphile_worker._private_jobs
    set run_at = ${moved('run_at')}, locked_at = ${moved('locked_at')}
    where greatest(run_at, locked_at) > now()`,
    [seconds],
  )
}

/** Times that have passed by the new clock are of the new time already. */
function moved(column: string): string {
  return `case when ${column} > now() then ${column} + make_interval(secs => $1) else ${column} end`
}
