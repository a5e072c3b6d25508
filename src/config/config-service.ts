import { z } from 'zod'
import { isTokenText } from '#core/people/token-format.ts'
import { ConfigError } from './config.ts'
import { withFiles } from './config-files.ts'

/** A running service, as commands that ask one over its API find it. */
export type ServiceAddress = { url: string | null; token: string | null }

/** Variables of commands alone, which no process of the service reads. */
export const commandVariables: readonly string[] = ['PERIGEE_URL', 'PERIGEE_TOKEN', 'PERIGEE_TOKEN_FILE']

const variables = z.object({ PERIGEE_URL: z.string().optional(), PERIGEE_TOKEN: z.string().optional() })

/** An empty variable counts as not set; the token may lie in a file (`PERIGEE_TOKEN_FILE`). Throws ConfigError. */
export function readServiceAddress(environment: NodeJS.ProcessEnv = process.env): ServiceAddress {
  const set = commandVariables.flatMap((name) => {
    const text = environment[name]?.trim()
    return text === undefined || text === '' ? [] : [[name, text] as const]
  })
  const { given, problems } = withFiles(Object.fromEntries(set), new Set(['PERIGEE_TOKEN']))
  if (problems.length > 0) throw new ConfigError(problems)
  const { PERIGEE_URL: url = null, PERIGEE_TOKEN: token = null } = variables.parse(given)
  if (token !== null && !isTokenText(token))
    throw new ConfigError(['PERIGEE_TOKEN must be an API token. An API token begins with pgk_.'])
  return { url, token }
}

/** A variable that the files of a project name; null where it is not set. An empty one is set. */
export function readVariable(name: string, environment: NodeJS.ProcessEnv = process.env): string | null {
  return environment[name] ?? null
}

/** All that are set, for files that name variables of any name. */
export function readVariables(environment: NodeJS.ProcessEnv = process.env): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  )
}
