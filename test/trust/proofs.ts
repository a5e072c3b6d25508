import { faults } from './faults/faults.ts'
import { load } from './load/load.ts'
import { inputs } from './inputs/inputs.ts'
import type { Proof } from './proof.ts'
import { simulation } from './simulation/simulation.ts'
import { soak } from './soak/soak.ts'

/** In the order in which they run. */
export const proofs: readonly Proof[] = [simulation, inputs, faults, load, soak]
