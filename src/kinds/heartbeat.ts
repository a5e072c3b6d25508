import { z } from 'zod'
import { definePassiveKind } from './kind.ts'

/** A job that calls after each run; core/monitors/heartbeat.ts says what a call means. */
export const heartbeat = definePassiveKind({
  name: 'heartbeat',
  options: z.strictObject({}).describe('A job that calls after each run.'),
})
