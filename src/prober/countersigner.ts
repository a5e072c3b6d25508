import {
  type CountersignMemory,
  type CountersignOffer,
  type CountersignReply,
  type Fork,
  countersignHead,
  decideCountersign,
  firstMemory,
  withKeys,
} from '#core/proofs/countersign.ts'
import { publicSigningKey } from '#core/proofs/signature.ts'
import type { Time } from '#time/time.ts'
import type { CountersignFile } from './countersign-file.ts'

export type CountersignerOptions = {
  location: string
  file: CountersignFile
  /** Rejects where the core cannot be asked now. */
  offer: (offer: CountersignOffer) => Promise<CountersignReply>
  time: Pick<Time, 'every'>
  log: Record<'info' | 'warn' | 'error', (message: string, details?: Record<string, unknown>) => void>
}

/** A day is signed at any time within ten minutes. */
const askMs = 5 * 60_000
/** Of a month each: a location that was away for five years. */
const maxTurns = 60

/**
 * Signs the head of each day for a location, once it was shown that this one follows the head that it has signed before.
 * A head that contradicts that is never signed, and reported as long as it is shown. Returns a function that ends it.
 */
export function startCountersigner(options: CountersignerOptions): () => Promise<void> {
  const { location, file, time, log } = options
  log.info('This location signs the heads of the history.', { location, key: publicSigningKey(file.pair.x) })
  const countersigner = new Countersigner(options)
  let asking: Promise<void> | null = null
  const ask = (): void => {
    asking ??= countersigner.catchUp().finally(() => {
      asking = null
    })
  }
  const end = time.every(askMs, ask)
  ask()
  return async () => {
    end()
    await asking
  }
}

type Signed = CountersignOffer['signatures']

class Countersigner {
  readonly #options: CountersignerOptions
  /** The last day of which the core has the signature. */
  #offered: string | null = null

  constructor(options: CountersignerOptions) {
    this.#options = options
  }

  /** Never rejects. */
  async catchUp(): Promise<void> {
    const { location, offer, file, log } = this.#options
    let signatures: Signed = []
    let fork: Fork | null = null
    try {
      for (let turn = 0; turn < maxTurns; turn += 1) {
        const reply = await offer({ since: file.read()?.last?.day ?? null, signatures, fork })
        this.#offered = signatures.at(-1)?.day ?? this.#offered
        if (fork !== null) return
        ;({ signatures, fork } = this.#sign(reply))
        if (signatures.length === 0 && fork === null) return
      }
    } catch (error) {
      log.warn('The heads of the history could not be signed now.', { location, error: String(error) })
    }
  }

  #sign({ keys, heads }: CountersignReply): { signatures: Signed; fork: Fork | null } {
    const { location, file, log } = this.#options
    const { pair } = file
    const known = file.read()
    let memory: CountersignMemory | null = known === null ? firstMemory(keys) : withKeys(known, keys)
    if (memory === null) {
      log.error('The keys of the history are those of another installation, so its heads are not signed.', { location })
      return { signatures: [], fork: null }
    }
    const signatures: Signed = []
    for (const shown of heads) {
      const { head } = shown
      const decision = decideCountersign(memory, shown)
      if (decision.outcome === 'fork') {
        const { outcome: _outcome, ...fork } = decision
        log.error('The history has two heads for one day. The second one is not signed.', { location, ...fork })
        return { signatures, fork }
      }
      if (decision.outcome !== 'sign') {
        log.warn('A head of the history is not signed.', { location, day: head.day, why: decision.outcome })
        break
      }
      memory = decision.memory
      file.write(memory)
      if (head.day !== this.#offered)
        signatures.push({ day: head.day, signature: countersignHead(head, { pair, location }) })
    }
    return { signatures, fork: null }
  }
}
