// Locations that sign the history as well: they offer what they have signed, and are shown what came since.
import type { Msg } from '@nats-io/transport-node'
import type { CountersignOffer, CountersignReply } from '#core/proofs/countersign.ts'
import type { CountersignHandler, Unsubscribe } from './bus.ts'
import { countersignOfferCodec, countersignReplyCodec } from './codec.ts'
import type { Connection } from './nats-connection.ts'
import type { BusLog } from './nats-options.ts'
import { anyCountersigning, countersigningQueue, countersignSubject, inboxPrefix, locationOf } from './nats-subjects.ts'
import { seldom } from './pace.ts'

const answerWithinMs = 10_000
/** Locations ask every few minutes; more at once are left without an answer, and ask again. */
const maxAtOnce = 16

export async function offerCountersignatures(
  { client, isConnected }: Connection,
  location: string,
  offer: CountersignOffer,
): Promise<CountersignReply> {
  if (!isConnected) throw new Error('NATS is away.')
  const bytes = countersignOfferCodec.encode(offer)
  const { data } = await client.request(countersignSubject(location), bytes, { timeout: answerWithinMs })
  return countersignReplyCodec.decode(data)
}

export function answerCountersigning(connection: Connection, handler: CountersignHandler, log: BusLog): Unsubscribe {
  const warn = seldom(log, 'A location that signs the history could not be answered.')
  let atOnce = 0
  const answer = async ({ subject, reply, data }: Msg): Promise<void> => {
    const location = locationOf(subject)
    // The core may write where the location may not.
    if (reply?.startsWith(`${inboxPrefix(location)}.`) !== true)
      return warn({ location, error: 'The answer was wanted elsewhere.' })
    if (atOnce >= maxAtOnce) return warn({ location, error: 'Too many requests at once.' })
    atOnce += 1
    try {
      const told = await handler(location, countersignOfferCodec.decode(data))
      connection.send(reply, countersignReplyCodec.encode(told))
    } catch (error) {
      warn({ location, error: String(error) })
    } finally {
      atOnce -= 1
    }
  }
  return connection.listen(anyCountersigning, (message) => void answer(message), { queue: countersigningQueue })
}
