import { z } from 'zod'

export type IsGenuine = (headers: Readonly<Record<string, unknown>>, body: string) => boolean

const moduleSchema = z.object({ isGenuine: z.custom<IsGenuine>((value) => typeof value === 'function') })

/** The example beside a new signing secret, run as it stands. */
export async function exampleOf(text: string, secret: string): Promise<IsGenuine> {
  process.env['SIGNING_SECRET'] = secret
  return moduleSchema.parse(await import(`data:text/javascript,${encodeURIComponent(text)}`)).isGenuine
}
