import { readConfig } from '#config/config.ts'
import { readDatabase } from '#cli/operator-database.ts'
import { asksForHelp, readArguments } from '#cli/arguments.ts'
import { usageOf } from '#cli/definitions/definition.ts'
import { keysDefinition } from '#cli/definitions/keys.ts'
import { type Terminal, UsageError } from '#cli/terminal.ts'
import { keysText } from './keys-text.ts'
import { readKeyStates } from './key-states.ts'
import { retireKey } from './retire-key.ts'
import { rotateKey } from './rotate-key.ts'

const usage = usageOf(keysDefinition)

export async function runKeys(argv: readonly string[], terminal: Terminal): Promise<number> {
  const { out } = terminal
  if (asksForHelp(argv)) {
    out.write(usage)
    return 0
  }
  const { values, positionals } = readArguments(argv, keysDefinition.options, usage)
  const [verb, argument, ...more] = positionals
  const { json = false, 'key-to': keyTo = null } = values
  if (more.length > 0 || (verb === 'rotate' && argument !== undefined)) throw wrong('Too many arguments.')
  if (keyTo !== null && verb !== 'rotate') throw wrong('--key-to only works with rotate.')
  if (json && verb !== undefined) throw wrong('--json only works without a verb.')
  const config = readConfig()
  switch (verb) {
    case undefined: {
      const states = await readDatabase(config, (database) => readKeyStates(database, config))
      out.write(json ? `${JSON.stringify({ keys: states }, null, 2)}\n` : keysText(states))
      return 0
    }
    case 'rotate':
      await rotateKey(config, { keyTo, now: new Date() }, terminal)
      return 0
    case 'retire':
      if (argument === undefined) throw wrong('Name the id of a key, as "perigee keys" shows it.')
      out.write(await retireKey(config, argument))
      return 0
    default:
      throw wrong(`There is no verb "${verb}".`)
  }
}

function wrong(message: string): UsageError {
  return new UsageError(message, usage)
}
