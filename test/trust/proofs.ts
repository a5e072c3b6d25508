import { inputs } from './inputs/inputs.ts'
import type { Proof } from './proof.ts'

/** In the order in which they run. */
export const proofs: readonly Proof[] = [inputs]
