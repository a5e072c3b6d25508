// A thread of probers in which a check of tcp whose keyword is "burn <ms>" then takes that much of the processor,
// and one whose keyword is "hoard" all memory that there is.
import { parentPort, workerData } from 'node:worker_threads'
import { checkedKinds } from '#kinds/checked-kinds.ts'
import { tcp } from '#kinds/tcp.ts'
import type { AnyKind } from '#kinds/kind.ts'
import { runProbers } from '#prober/prober-thread.ts'
import { burn } from './burn.ts'

const check: AnyKind['check'] = async (configuration, net, signal) => {
  const { keyword } = configuration
  const verdict = await tcp.check({ ...configuration, keyword: null }, net, signal)
  if (keyword?.startsWith('burn ') === true) burn(Number(keyword.slice('burn '.length)))
  if (keyword === 'hoard') hoard()
  return verdict
}
const kinds: typeof checkedKinds = { ...checkedKinds, tcp: async () => ({ ...tcp, check }) }

/** Copies take little of the processor, so that its thread dies before it counts as one that never ends. */
function hoard(): never {
  const piece = Array.from({ length: 128 * 1_024 }, () => 0.5)
  for (const pieces: number[][] = []; ;) pieces.push(piece.slice())
}

if (parentPort !== null) await runProbers(workerData, { parent: parentPort, kinds })
