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

/** A refusal for who asks for `application/problem+json` (RFC 9457 3); the members of the other form beside it. */
export const errorProblemSchema = z.strictObject({
  type: z.url().describe('A page about the code.'),
  title: z.string().describe('The code in words.'),
  status: z.int(),
  detail: z.string().describe('The same as `message`.'),
  ...errorSchema.shape,
})
export type ErrorProblem = z.infer<typeof errorProblemSchema>
