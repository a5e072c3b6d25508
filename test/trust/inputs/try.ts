// One input after the other, of everything that takes any, until the time is up.
import type { Order } from '../proof.ts'
import { isSlow, quickMs } from './oracle.ts'
import type { Asked } from './requests.ts'
import type { Answer, Broken } from './send.ts'
import type { Service } from '../program.ts'
import type { Tally } from './tally.ts'
import { slownessNow } from './slowness.ts'
import type { World } from './world.ts'

/** Something that takes input. */
export type Subject = {
  name: string
  /** Input number `at`, which is the same for one seed. */
  draw: (at: number) => Promise<Asked> | Asked
  /** What is wrong with the answer; null for nothing. */
  judge: (asked: Asked, answer: Answer | Broken) => string | null
  learn?: (asked: Asked, answer: Answer | Broken) => void
}

export type Trying = {
  order: Order
  world: World
  tally: Tally
  service: Service
  subjects: readonly Subject[]
  refresh: () => Promise<void>
  untilMs: number
}

const atOnce = 4
/** A busy machine is slow too: what is slow is asked again alone. */
const slowTries = 3
const roundsPerRefresh = 12
const roundsOfShort = 48

type Slow = { subject: Subject; asked: Asked; at: number }

export async function tryAll({ order, world, tally, service, subjects, refresh, untilMs }: Trying): Promise<void> {
  const [only, onlyAt] = order.only?.split(':') ?? []
  const slow: Slow[] = []
  const one = async (subject: Subject, at: number): Promise<void> => {
    const asked = await subject.draw(at)
    const answer = await world.send(asked.sent)
    tally.count(subject.name, 'broken' in answer ? null : answer.status)
    subject.learn?.(asked, answer)
    if (!('broken' in answer) && isSlow(subject.name, answer)) slow.push({ subject, asked, at })
    const what = subject.judge(asked, answer)
    if (what !== null) tally.found({ what: `${what}\n  ${shown(asked)}`, case: `${subject.name}:${at}` })
  }
  const chosen = subjects.filter(({ name }) => only === undefined || name === only)
  if (onlyAt !== undefined) return void (await Promise.all(chosen.map((subject) => one(subject, Number(onlyAt)))))
  const rounds = order.isShort ? roundsOfShort : Infinity
  for (let round = 0; round < rounds && performance.now() < untilMs && service.isAlive(); round += 1) {
    if (round % roundsPerRefresh === 0) await refresh()
    const left = [...chosen]
    const work = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined && performance.now() < untilMs; next = left.shift())
        await one(next, round)
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    for (const each of slow.splice(0)) await askAgain(each, { world, tally })
  }
}

async function askAgain(
  { subject, asked, at }: Slow,
  { world, tally }: Pick<Trying, 'world' | 'tally'>,
): Promise<void> {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < slowTries; attempt += 1) {
    const slowness = slownessNow()
    const answer = await world.send(asked.sent)
    if ('broken' in answer || answer.ms <= quickMs * slowness) return
    least = Math.min(least, answer.ms)
  }
  tally.found({
    what: `${subject.name} took ${Math.round(least)} ms at least\n  ${shown(asked)}`,
    case: `${subject.name}:${at}`,
  })
}

const longestShown = 1500

function shown({ sent, caller, input }: Asked): string {
  const body = sent.body === null ? '' : Buffer.from(sent.body).toString('utf8').slice(0, longestShown)
  return `${input}, by ${caller.name}: ${sent.method} ${sent.path.slice(0, longestShown)} ${JSON.stringify(body)}`
}
