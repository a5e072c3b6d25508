import { planOf } from '#core/projects/plan.ts'
import { secretOptionsOf } from '#operations/projects/secret-options.ts'
import { StartError } from '#store/database/start-error.ts'
import { asksForHelp, readArguments } from '#cli/arguments.ts'
import { postTo, readService } from '#cli/service.ts'
import { printable } from '#cli/table.ts'
import { usageOf } from '#cli/definitions/definition.ts'
import { adoptDefinition } from '#cli/definitions/projects.ts'
import { type Terminal, UsageError } from '#cli/terminal.ts'
import { askExport } from './export.ts'
import { loadProject } from './project-files.ts'

const adoptUsage = usageOf(adoptDefinition)

const { options } = adoptDefinition

/** `perigee adopt`: see its usage. */
export async function runAdopt(argv: readonly string[], { out }: Terminal): Promise<number> {
  if (asksForHelp(argv)) {
    out.write(adoptUsage)
    return 0
  }
  const { values, positionals } = readArguments(argv, options, adoptUsage)
  const paths = values.file ?? []
  if (paths.length === 0 || positionals.length > 0)
    throw new UsageError('Name the project files, such as -f monitors/.', adoptUsage)
  const service = readService(values, adoptUsage)
  const project = loadProject(paths)
  const plan = planOf(project, await askExport(service), { adopts: true, secretOptions: secretOptionsOf })
  const objects = plan.adoptions.map(({ entry: { section, key }, present: { id } }) => ({ section, key, id }))
  if (objects.length > 0) {
    const answer = await postTo(service, 'project-objects', { project: project.id, objects })
    if (!answer.ok) throw new StartError(answer.problem)
  }
  const left = project.entries.length - objects.length
  if (values.json === true) {
    out.write(`${JSON.stringify({ project: project.id, adopted: objects, left })}\n`)
    return 0
  }
  for (const { entry, present } of plan.adoptions)
    out.write(`= ${entry.section}.${entry.key}  ${printable(present.name)}\n`)
  out.write(`${project.id}: ${objects.length} adopted, ${left} left alone.\n`)
  return 0
}
