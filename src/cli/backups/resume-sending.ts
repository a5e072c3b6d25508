import { readConfig } from '#config/config.ts'
import { resumeSending } from '#store/installation/sending.ts'
import { asksForHelp, readArguments } from '#cli/arguments.ts'
import { usageOf } from '#cli/definitions/definition.ts'
import { resumeSendingDefinition } from '#cli/definitions/running.ts'
import { readDatabase } from '#cli/operator-database.ts'
import { type Terminal, UsageError } from '#cli/terminal.ts'

const usage = usageOf(resumeSendingDefinition)

export async function runResumeSending(argv: readonly string[], { out }: Terminal): Promise<number> {
  if (asksForHelp(argv)) {
    out.write(usage)
    return 0
  }
  if (readArguments(argv, {}, usage).positionals.length > 0)
    throw new UsageError('resume-sending takes no arguments.', usage)
  const wasHeld = await readDatabase(readConfig(), resumeSending)
  out.write(
    wasHeld
      ? 'Alerts, mails and payments leave again, within seconds.\n'
      : 'Nothing was held back: this installation sends as usual.\n',
  )
  return 0
}
