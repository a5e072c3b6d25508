import { z } from 'zod'

/** Codes may be added, so clients must expect others. */
export const errorSchema = z.strictObject({
  error: z.string().describe('A stable code for machines.'),
  message: z.string().describe('A sentence for people.'),
  fields: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe('On validation errors: problems by field, nested fields with dots.'),
})
