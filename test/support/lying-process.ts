// Plays a process of probers that keeps to the form of what is agreed and lies, for the tests of the one that starts it.
// LIE names what it does.
import { Socket } from 'node:net'
import { encodeResults, idsCodec, presenceCodec } from '#bus/codec.ts'
import { noPhases, type Result } from '#core/results/result.ts'
import { type FramePipe, openFrames } from '#prober/frames.ts'
import { pipeNumber, toProbers } from '#prober/process-orders.ts'

const lies: Readonly<Record<string, (pipe: FramePipe) => void>> = {
  warnings: (pipe) => {
    for (let index = 0; index < 10_000; index += 1) warn(pipe, 'The sky falls.', { index })
  },
  'long warning': (pipe) => warn(pipe, 'The sky falls.', { error: 'x'.repeat(200_000) }),
  counts: (pipe) => {
    const checks = Array.from({ length: 10_000 }, () => ({ kind: 'http', status: 'up', checks: 1_000_000, seconds: 1 }))
    const idle = { running: 0, waiting: 0, outbox: 0, refused: 0, dropped: 0, stalls: 0 }
    pipe.send({ type: 'counts', thread: 'test-0', counts: { ...idle, checks } })
  },
  results: (pipe) => {
    for (const [call, location] of ['here', 'there'].entries())
      for (const bytes of encodeResults([resultOf(location)])) pipe.send({ type: 'publish', call }, bytes)
  },
  configurations: (pipe) => {
    for (const [call, location] of ['here', 'there'].entries())
      pipe.send({ type: 'request', call, location }, idsCodec.encode(['m1']))
  },
  presence: (pipe) => {
    for (const location of ['here', 'there'])
      pipe.send({ type: 'announce' }, presenceCodec.encode({ location, prober: 'p', isLeaving: false }))
  },
}

const pipe = openFrames(new Socket({ fd: pipeNumber }), toProbers, {
  onFrame: ({ head }) => hear(JSON.parse(head)),
  onBroken: () => process.exit(1),
  onClose: () => process.exit(1),
})

/** What it is answered it tells by a warning. */
function hear(order: { type: string; call?: number; error?: string | null }): void {
  if (order.type === 'begin') lies[process.env['LIE'] ?? '']?.(pipe)
  if (order.type === 'answered') warn(pipe, `Answer ${order.call}`, { error: order.error })
  if (order.type === 'stop') process.exit(0)
}

function warn(to: FramePipe, message: string, details: object): void {
  to.send({ type: 'warning', message, details })
}

function resultOf(location: string): Result {
  const verdict = { status: 'up', statusCode: 200, latencyMs: 1, error: null, phases: noPhases, details: {} } as const
  return { monitorId: 'm1', version: 1, round: 1, location, verdict }
}
