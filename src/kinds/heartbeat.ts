import { z } from 'zod'
import { definePassiveKind } from './kind.ts'

/** A job that calls after each run; what calls mean is in core/heartbeat. Specification, Heartbeat calls. */
export const heartbeat = definePassiveKind({
  name: 'heartbeat',
  options: z.strictObject({}).describe('A job that calls after each run. It has no options.'),
})
