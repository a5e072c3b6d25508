import type { InspectedBroker } from '#bus/inspect-broker.ts'
import { bad, type Found, good, judged, notLookedAt, verdictOf, warning } from '#core/doctor-report.ts'
import { spanInWords } from '#core/language/in-words.ts'
import { sizeInWords } from '#core/language/size-in-words.ts'
import type { DoctorCheck } from './doctor-check.ts'

const brokerMs = 5_000

export const bus: DoctorCheck = {
  name: 'bus',
  look: async ({ examined }) => {
    const { config, unread } = examined
    if (unread.has('PERIGEE_NATS_URL'))
      return [notLookedAt('broker', 'PERIGEE_NATS_URL cannot be read.', 'Correct PERIGEE_NATS_URL.')]
    const { nats } = config
    if (nats === null)
      return [good('broker', 'The bus is in this process: no broker is needed (PERIGEE_NATS_URL is not set).')]
    // Its client is loaded where it is needed only.
    const { inspectBroker } = await import('#bus/inspect-broker.ts')
    try {
      return judgeBroker(await inspectBroker(nats, brokerMs), Date.now())
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return [
        bad(
          'broker',
          why,
          'See whether NATS runs, and compare its users and certificates with PERIGEE_NATS_ (docs/nats.md).',
        ),
      ]
    }
  },
}

/** A stream that is full refuses results, which then wait at the probers. */
const fullness = { warning: 0.7, bad: 0.95 }
/** Engines take results within moments (PerigeeBacklogOld in deploy/prometheus). */
const ages = { warning: 30, bad: 60 }

export function judgeBroker({ version, isTls, stream }: InspectedBroker, nowMs: number): Found[] {
  return [
    good('broker', `NATS ${version} lets this process in.`),
    isTls
      ? good('TLS', 'The connection to NATS is encrypted.')
      : warning(
          'TLS',
          'The connection to NATS is not encrypted.',
          'Use a tls:// address in PERIGEE_NATS_URL where the network between the machines is not your own.',
        ),
    ...judgeStream(stream, nowMs),
  ]
}

function judgeStream(stream: InspectedBroker['stream'], nowMs: number): Found[] {
  if (typeof stream === 'string')
    return [
      notLookedAt(
        'stream',
        `This credential may not ask for the stream of results: ${stream}`,
        'Run the doctor with the credential of an engine.',
      ),
    ]
  if (stream === null)
    return [warning('stream', 'There is no stream of results at the broker yet.', 'Start an engine, which makes it.')]
  const { backlog, maxBytes, differing } = stream
  const oldest = backlog.oldestAt === null ? 0 : Math.max(0, (nowMs - backlog.oldestAt.getTime()) / 1000)
  return [
    judged('stream', verdictOf(backlog.bytes / maxBytes, fullness), {
      found: `${sizeInWords(backlog.bytes)} of ${sizeInWords(maxBytes)} wait in the stream.`,
      advice: 'See why engines do not take the results, or raise PERIGEE_NATS_MAX_MB.',
    }),
    judged('waiting results', verdictOf(oldest, ages), {
      found:
        backlog.messages === 0
          ? 'No message waits in the stream.'
          : `${backlog.messages} messages wait in the stream ${backlog.stream}, for up to ${spanInWords(oldest)}.`,
      advice: 'See whether engines run and whether the database stores.',
    }),
    differing.length === 0
      ? good('settings', 'The stream is as this configuration has it.')
      : warning(
          'settings',
          `The stream has a different ${differing.join(', ')}.`,
          'The next start of an engine changes it; processes with different PERIGEE_NATS_ settings change it back and forth.',
        ),
  ]
}
