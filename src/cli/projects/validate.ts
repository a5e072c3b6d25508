import { sections } from '#core/projects/entries.ts'
import { asksForHelp, readArguments } from '#cli/arguments.ts'
import { usageOf } from '#cli/definitions/definition.ts'
import { validateDefinition } from '#cli/definitions/projects.ts'
import { type Terminal, UsageError } from '#cli/terminal.ts'
import { loadProject } from './project-files.ts'

const validateUsage = usageOf(validateDefinition)

/** `perigee validate`: see its usage. */
export async function runValidate(argv: readonly string[], { out }: Terminal): Promise<number> {
  if (asksForHelp(argv)) {
    out.write(validateUsage)
    return 0
  }
  const { values, positionals } = readArguments(argv, validateDefinition.options, validateUsage)
  const paths = values.file ?? []
  if (paths.length === 0 || positionals.length > 0)
    throw new UsageError('Name the project files, such as -f monitors/.', validateUsage)
  const { id, entries } = loadProject(paths)
  const counts = sections.map((name) => [name, entries.filter(({ section }) => section === name).length] as const)
  const told = counts.filter(([, count]) => count > 0).map((count) => count.join(' '))
  if (values.json === true) out.write(`${JSON.stringify({ project: id, ...Object.fromEntries(counts) })}\n`)
  else out.write(`${id}: ${told.length === 0 ? 'no entries' : told.join(', ')}. Nothing is wrong.\n`)
  return 0
}
