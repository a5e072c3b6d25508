// Heads of a history without a check, as an installation signs them.
import { addDays } from '#core/language/utc-day.ts'
import { type SigningPair, publicSigningKey, signFor } from '#core/proofs/signature.ts'
import { type DayHead, type SignedHead, headHash, headText } from '#core/proofs/signed-history.ts'

/** RFC 8037, appendix A.1. */
export const installationPair: SigningPair = {
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
}

/** One head a day, each of which names the one before; another `root` makes another history. */
export function signedHeads(count: number, { from, root = 'ab' }: { from: string; root?: string }): SignedHead[] {
  const heads: SignedHead[] = []
  for (let index = 0; index < count; index += 1) {
    const before = heads.at(-1)?.head ?? null
    heads.push(
      signedHead({
        day: addDays(from, index),
        installation: publicSigningKey(installationPair.x).kid,
        previous: before === null ? null : headHash(before),
        root: root.repeat(32),
        size: 0,
      }),
    )
  }
  return heads
}

export function signedHead(head: DayHead): SignedHead {
  const signature = signFor('history-day', installationPair, Buffer.from(headText(head))).toString('hex')
  return { head, key_id: publicSigningKey(installationPair.x).kid, signature }
}
