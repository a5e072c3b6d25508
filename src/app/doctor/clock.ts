import { judgeVerdict } from './judge-verdict.ts'
import { askKind } from './ask-kind.ts'
import { type Found, judged, notLookedAt, verdictOf, warning } from '#core/doctor-report.ts'
import { clusterTroublesByPart } from '#core/operator-status.ts'
import { measureSkew, remarkableMs, type Skew } from '#store/database/clock.ts'
import type { DoctorCheck, DoctorContext } from './doctor-check.ts'

export const clock: DoctorCheck = {
  name: 'clock',
  look: async (context, signal) => [
    await againstDatabase(context),
    await againstTimeServer(context, signal),
    ...(await jumps(context)),
  ],
}

async function againstDatabase(context: DoctorContext): Promise<Found> {
  const database = await context.database()
  if (!database.isOpen) return notLookedAt('database', 'The database was not looked at.')
  return judgeSkew(await measureSkew(database.database, Date.now))
}

/** The database's clock counts for everything, so that another one of this machine does little harm. */
export function judgeSkew({ skewMs, errorMs }: Skew): Found {
  const apartMs = Math.max(0, Math.abs(skewMs) - errorMs)
  const direction = skewMs > 0 ? 'behind' : 'ahead of'
  return judged('database', verdictOf(apartMs, { warning: remarkableMs, bad: 60_000 }), {
    found: `The clock of this machine is ${(Math.abs(skewMs) / 1000).toFixed(3)} s ${direction} that of the database.`,
    advice: 'Let both machines follow a time server (chrony, or timedatectl set-ntp true).',
  })
}

const mostOffsetMs = 1_000

async function againstTimeServer({ options, net }: DoctorContext, signal: AbortSignal): Promise<Found> {
  const { timeServer } = options
  if (timeServer === null) return notLookedAt('time server', 'No time server was named; --ntp <host> asks one.')
  const verdict = await askKind('ntp', { url: timeServer, options: { max_offset_ms: mostOffsetMs } }, { net, signal })
  const { offset_ms: offset } = verdict.details
  return judgeVerdict('time server', verdict, {
    good: `The clock of ${timeServer} differs from that of this machine by ${String(offset)} ms.`,
    advice: 'Let this machine follow a time server, or name one that answers.',
  })
}

async function jumps({ cluster }: DoctorContext): Promise<Found[]> {
  const status = await cluster()
  if (status === null) return []
  return clusterTroublesByPart(status).clock.map((trouble) =>
    warning('jumps', trouble, 'Find out what sets the clock of the database: it should be slewed, not stepped.'),
  )
}
