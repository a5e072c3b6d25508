import { z } from 'zod'
import { StartError } from '#store/database/start-error.ts'
import { ConfigError } from '#config/config.ts'
import { readRelease } from '#app/release.ts'
import { asksForHelp, readArguments } from './arguments.ts'
import { bashCompletion } from './definitions/bash-completion.ts'
import { usageOf } from './definitions/definition.ts'
import { fishCompletion } from './definitions/fish-completion.ts'
import { definitions } from './definitions/index.ts'
import { manualOf } from './definitions/manual.ts'
import {
  completedCommands,
  completionDefinition,
  manDefinition,
  type NamedThing,
  namedThings,
} from './definitions/shells.ts'
import { zshCompletion } from './definitions/zsh-completion.ts'
import { readService, send } from './service.ts'
import { printable } from './table.ts'
import { type Terminal, UsageError } from './terminal.ts'

/** A person who presses the tab key waits for nothing longer. */
const namesMs = 300
const maxNames = 500
const maxNamesBytes = 1024 * 1024

const scripts: Readonly<Record<string, typeof bashCompletion>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
}

/** `perigee completion`: see its usage. The scripts ask it for names. */
export async function runCompletion(argv: readonly string[], { out }: Terminal): Promise<number> {
  const usage = usageOf(completionDefinition)
  if (asksForHelp(argv)) {
    out.write(usage)
    return 0
  }
  const { positionals } = readArguments(argv, {}, usage)
  const [shell = '', asked, ...more] = positionals
  const thing = namedThings.find((each) => each === asked)
  if (shell === 'names' && thing !== undefined && more.length === 0) {
    for (const name of await namesOf(thing)) out.write(`${name}\n`)
    return 0
  }
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
  if (script === undefined || asked !== undefined) throw new UsageError('Name a shell: bash, zsh or fish.', usage)
  out.write(script(completedCommands(definitions)))
  return 0
}

/** `perigee man`: see its usage. */
export async function runMan(argv: readonly string[], { out }: Terminal): Promise<number> {
  const usage = usageOf(manDefinition)
  if (asksForHelp(argv)) {
    out.write(usage)
    return 0
  }
  if (readArguments(argv, {}, usage).positionals.length > 0) throw new UsageError('man takes no arguments.', usage)
  out.write(manualOf(definitions, readRelease()))
  return 0
}

const monitorsSchema = z.object({ data: z.array(z.object({ name: z.string() })) })
const incidentsSchema = z.object({ data: z.array(z.object({ monitor_name: z.string() })) })

/** None where the service is not known, refuses or takes too long: a shell shows no failure while somebody types. */
async function namesOf(thing: NamedThing): Promise<string[]> {
  const path =
    thing === 'monitor'
      ? `monitors?fields=name&limit=${maxNames}`
      : `incidents?fields=monitor_name&status=open&limit=${maxNames}`
  try {
    const service = readService({}, '')
    const sent = await send(service, { path, maxBytes: maxNamesBytes, request: {}, answerMs: namesMs })
    if (sent.type === 'lost') return []
    const names =
      thing === 'monitor'
        ? monitorsSchema.safeParse(sent.body).data?.data.map(({ name }) => name)
        : incidentsSchema.safeParse(sent.body).data?.data.map(({ monitor_name: name }) => name)
    return [...new Set(names)].filter((name) => printable(name) === name)
  } catch (error) {
    if (error instanceof UsageError || error instanceof ConfigError || error instanceof StartError) return []
    throw error
  }
}
