import { mailKindNames } from '#core/contacts/contact-kinds.ts'
import { longestChecks, passiveKinds } from '#core/monitors/kind-traits.ts'
import type { ClusterStatus } from '#core/operator-status.ts'
import { failingLast } from '#store/contacts/nudges.ts'
import { laneOfContact, mailLane } from '#store/contacts/lanes.ts'
import type { Database } from '#store/database/database.ts'
import { keyIdOf } from '#store/database/secrets.ts'
import { listResultDays } from '#store/results/result-partitions.ts'
import { brokerAwaySince } from './broker-away.ts'
import { lastJump, type OwnTrouble } from './own-troubles.ts'
import { readLastBackup } from './last-backup.ts'
import { readValuesLeft } from './sealed-counts.ts'
import { readKeyChanges } from './secret-keys.ts'
import { readSendingHeld } from './sending.ts'
import { readFeedStatus } from '#store/software/feed-status.ts'

/** Engines announce themselves every 3 s and write down who is present every 5 s; three misses are absence. */
const aliveSeconds = 10
const presentSeconds = 15
/**
 * An alert that has been due for so long and is not under way is reported as overdue, and so is a job: sweeps come
 * every 30 s, and claims of dead workers lapse after 60 s.
 */
const overdueAlertSeconds = 60
const overdueJobSeconds = 90
/** An attempt ends within 20 s. What was begun longer ago belongs to a dead process, or is stuck by itself. */
const attemptSeconds = 20
const ownTroubles: readonly OwnTrouble[] = ['mail', 'clock', 'set_aside', 'backup']
const deliveryValues = [overdueAlertSeconds, attemptSeconds, mailKindNames]
/** Beyond a check's own timeout: the round's grace and the time to store it. */
const graceSeconds = 15

/**
 * Reads what the tables say of the whole installation. It looks at every monitor: an operator's question, no probe's. One
 * statement follows the other: side by side they would want a dozen connections, once a minute and for a moment.
 */
export async function readClusterStatus(database: Database): Promise<ClusterStatus> {
  const facts = await one<ClusterStatus['database']>(database, databaseStatement)
  const engines = await all<ClusterStatus['engines'][number]>(database, enginesStatement, [aliveSeconds])
  const partitions = await all<ClusterStatus['partitions'][number]>(database, partitionsStatement, [aliveSeconds])
  const chosen = [presentSeconds, passiveKinds]
  const locations = await all<ClusterStatus['locations'][number]>(database, locationsStatement, chosen)
  const watched = [JSON.stringify(longestChecks), graceSeconds, passiveKinds]
  const monitors = await one<ClusterStatus['monitors']>(database, monitorsStatement, watched)
  const deliveries = await one<ClusterStatus['deliveries']>(database, deliveriesStatement, deliveryValues)
  const jobs = await readJobStatus(database)
  const merging = await one<ClusterStatus['merging']>(database, mergingStatement)
  const own = await readOwnTroubles(database)
  const broker = await readBrokerAway(database)
  const days = await listResultDays(database)
  const feeds = await readFeedStatus(database)
  const held = await readSendingHeld(database)
  const keys = await readFormerKeys(database)
  return {
    database: { ...facts, oldest_result_day: days[0] ?? null },
    engines,
    partitions,
    locations,
    monitors,
    deliveries,
    jobs,
    merging,
    feeds,
    broker,
    former_keys: keys,
    sending_held: held === null ? null : { seconds: secondsSince(held.since), backup_at: held.backupAt.toISOString() },
    ...own,
  }
}

/** The queues, the mail and the backups alone, for the metrics: cheap however many monitors there are. */
export async function readQueues(
  database: Database,
): Promise<Pick<ClusterStatus, 'deliveries' | 'jobs' | 'mail' | 'backup'>> {
  const [deliveries, jobs, { mail, backup }] = await Promise.all([
    one<ClusterStatus['deliveries']>(database, deliveriesStatement, deliveryValues),
    readJobStatus(database),
    readOwnTroubles(database),
  ])
  return { deliveries, jobs, mail, backup }
}

async function readOwnTroubles(
  database: Database,
): Promise<Pick<ClusterStatus, 'mail' | 'clock' | 'set_aside' | 'backup'>> {
  const [found, last] = await Promise.all([
    all<{ name: OwnTrouble; seconds: number; details: string }>(database, ownStatement, [ownTroubles]),
    readLastBackup(database),
  ])
  const [mail, clock, aside, failing] = ownTroubles.map((name) => found.find((each) => each.name === name))
  return {
    mail: mail === undefined ? null : { failing_seconds: mail.seconds, error: mail.details },
    clock: clock === undefined ? null : { jumped_seconds_ago: clock.seconds, by_seconds: Number(clock.details) },
    set_aside: aside === undefined ? null : { seconds: aside.seconds, monitor_ids: aside.details.split(' ') },
    backup:
      last === null && failing === undefined
        ? null
        : {
            age_seconds: last === null ? null : secondsSince(new Date(last.at)),
            size_bytes: last?.bytes ?? 0,
            failing: failing === undefined ? null : { seconds: failing.seconds, error: failing.details },
          },
  }
}

async function readFormerKeys(database: Database): Promise<ClusterStatus['former_keys']> {
  const inUse = (await readKeyChanges(database))?.inUse ?? []
  return inUse.length === 0 ? null : { ids: inUse.map(keyIdOf), values_left: await readValuesLeft(database) }
}

function secondsSince(time: Date): number {
  return Math.max(0, (Date.now() - time.getTime()) / 1000)
}

async function readBrokerAway(database: Database): Promise<ClusterStatus['broker']> {
  const { seconds } = await one<{ seconds: number | null }>(database, brokerStatement, [aliveSeconds])
  return seconds === null ? null : { away_seconds: seconds }
}

function readJobStatus(database: Database): Promise<ClusterStatus['jobs']> {
  return one<ClusterStatus['jobs']>(database, jobsStatement, [overdueJobSeconds, attemptSeconds, mailLane])
}

type Value = string | number | readonly string[]

async function all<Row extends object>(
  { pool }: Database,
  statement: string,
  values: readonly Value[] = [],
): Promise<Row[]> {
  return (await pool.query<Row>(statement, [...values])).rows
}

async function one<Row extends object>(
  database: Database,
  statement: string,
  values: readonly Value[] = [],
): Promise<Row> {
  const [row] = await all<Row>(database, statement, values)
  if (row === undefined) throw new Error('A statement that counts gave no row.')
  return row
}

const databaseStatement = `
select
  split_part(current_setting('server_version'), ' ', 1) as version,
  (select coalesce(max(number), 0) from schema_migrations) as schema,
  pg_database_size(current_database())::float8 as size_bytes`

const enginesStatement = `
select
  name,
  greatest(seen_at, ${lastJump}) > now() - make_interval(secs => $1) as is_alive,
  greatest(0, extract(epoch from now() - seen_at))::float8 as seen_seconds,
  greatest(0, extract(epoch from now() - started_at))::float8 as up_seconds
from engines
order by name
limit 1000`

const brokerStatement = `
select case when bool_and(away_since is not null)
  then greatest(0, extract(epoch from now() - max(away_since)))::float8
end as seconds
from (
  select ${brokerAwaySince} as away_since
  from engines
  where greatest(seen_at, ${lastJump}) > now() - make_interval(secs => $1)
) as alive`

// A row that was written a moment after this transaction began has no negative age; an unknown age stays null. After a
// jump of the clock its holder has had no time yet to renew what it holds.
const partitionsStatement = `
select
  partition,
  case when is_held then owner end as owner,
  epoch::float8 as epoch,
  case when is_held then abs(extract(epoch from now() - taken_at))::float8 end as held_seconds
from (
  select *, held_until >= now() or coalesce(${lastJump} > now() - make_interval(secs => $1), false) as is_held
  from partitions
) as held
order by partition`

const locationsStatement = `
select
  location.code,
  location.name,
  location.seen_at is not null and greatest(location.seen_at, ${lastJump}) > now() - make_interval(secs => $1) as online,
  abs(extract(epoch from now() - location.seen_at))::float8 as seen_seconds,
  abs(extract(epoch from now() - location.network_lost_at))::float8 as lost_network_seconds,
  coalesce(chosen.monitors, 0) as monitors
from locations as location
left join (
  select code, count(*)::integer as monitors
  from monitors, unnest(monitors.locations) as code
  where status = 'enabled'
    and kind <> all($2)
  group by code
) as chosen using (code)
order by location.position, location.id
limit 1000`

// Nothing is expected before the first round could have ended, nor of kinds that no location checks.
const monitorsStatement = `
with watched as (
  select
    monitor.status,
    monitor.interval_seconds,
    monitor.kind <> all($3) as is_checked,
    extract(epoch from now() - greatest(monitor.created_at, state.round_at, state.last_checked_at, ${lastJump}))
      - $2 - coalesce(($1::jsonb ->> monitor.kind)::float8, monitor.timeout_ms) / 1000 as age
  from monitors as monitor
  join monitor_state as state on state.monitor_key = monitor.key
), late as (
  select *, status = 'enabled' and is_checked and age > interval_seconds as is_late
  from watched
)
select
  count(*) filter (where status = 'enabled')::integer as enabled,
  count(*) filter (where status = 'paused')::integer as paused,
  count(*) filter (where is_late)::integer as late,
  coalesce(max(age - interval_seconds) filter (where is_late), 0)::float8 as latest_seconds,
  coalesce(sum(floor(age / interval_seconds)) filter (where is_late), 0)::float8 as rounds_behind,
  count(*) filter (where is_late and age > greatest(300, 3 * interval_seconds))::integer as unchecked
from late`

// Who waits behind another alert is late as well, except a recovery whose down alert waits for its next attempt. A
// receiver that fails, or is slow enough for others to wait for it, holds up what goes there and says nothing of the
// installation (docs/decisions/alerts-and-contacts.md, "Whose fault it is"); a mail server is the installation's own.
const deliveriesStatement = `
with under_way as materialized (
  select distinct ${laneOfContact('channel')} as lane
  from deliveries as attempted
  join alert_channels as channel on channel.id = attempted.alert_channel_id
  where attempted.state = 'pending'
    and attempted.claimed_at >= now() - make_interval(secs => $2)
), pending as (
  select
    delivery.due_at,
    greatest(delivery.due_at, ${lastJump}) < now() - make_interval(secs => $1)
      and (delivery.claimed_at is null or delivery.claimed_at < now() - make_interval(secs => $1))
      -- It leaves with its bundle, which is a delivery itself.
      and delivery.bundle_id is null
      and not exists (
        select
        from deliveries as earlier
        where earlier.id = delivery.after_id
          and earlier.state = 'pending'
          and earlier.due_at > now()
          and delivery.alert ->> 'type' = 'monitor.up'
      ) as is_late,
    channel.kind <> all($3)
      and (
        channel.failing_since is not null
        or ${laneOfContact('channel')} in (select lane from under_way)
      ) as is_held_up
  from deliveries as delivery
  join alert_channels as channel on channel.id = delivery.alert_channel_id
  where delivery.state = 'pending'
)
select
  count(*)::integer as pending,
  count(*) filter (where is_late and not is_held_up)::integer as overdue,
  count(*) filter (where is_late and is_held_up)::integer as held_up,
  coalesce(max(extract(epoch from now() - due_at)) filter (where is_late and not is_held_up), 0)::float8
    as oldest_overdue_seconds
from pending`

// Jobs that wait while others of their lane run, and those of contacts that fail, wait for a receiver as well.
const jobsStatement = `
with job as (
  select *, locked_at is null and attempts < max_attempts as is_waiting
  from graphile_worker.jobs
), due as (
  select run_at, greatest(run_at, ${lastJump}) < now() - make_interval(secs => $1) as is_late
  from job
  where is_waiting
    and run_at < now()
    and not (
      flags is not null
      and not flags ? $3
      and (
        (task_identifier = 'deliver' and priority >= ${failingLast})
        or flags in (select running.flags from job as running where running.locked_at >= now() - make_interval(secs => $2))
      )
    )
)
select
  (select count(*) from job where is_waiting)::integer as waiting,
  (select count(*) from job where locked_at is not null)::integer as running,
  (select count(*) from due where is_late)::integer as overdue,
  (select count(*) from job where locked_at is null and attempts >= max_attempts)::integer as failed,
  coalesce((select extract(epoch from now() - min(run_at)) from due), 0)::float8 as oldest_due_seconds`

const mergingStatement = `
select
  count(*)::integer as monitors_due,
  greatest(0, coalesce(extract(epoch from now() - greatest(min(due_at), ${lastJump})), 0))::float8 as lag_seconds
from result_merges
where due_at <= now()`

const ownStatement = `
select name, greatest(0, extract(epoch from now() - since))::float8 as seconds, details
from own_troubles
where name = any($1)
order by name
limit 100`
