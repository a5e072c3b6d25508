import { createProjectSchema } from '#api-document/project-schema.ts'
import { contactKinds } from '#contacts/index.ts'
import { kinds } from '#kinds/index.ts'
import { entrySchemas } from '#operations/projects/read-project.ts'
import { asksForHelp, readArguments } from '#cli/arguments.ts'
import { usageOf } from '#cli/definitions/definition.ts'
import { schemaDefinition } from '#cli/definitions/projects.ts'
import { type Terminal, UsageError } from '#cli/terminal.ts'

const schemaUsage = usageOf(schemaDefinition)

/** `perigee schema`: see its usage. */
export async function runSchema(argv: readonly string[], { out }: Terminal): Promise<number> {
  if (asksForHelp(argv)) {
    out.write(schemaUsage)
    return 0
  }
  const { positionals } = readArguments(argv, {}, schemaUsage)
  if (positionals.length > 0) throw new UsageError('"perigee schema" takes no arguments.', schemaUsage)
  out.write(`${JSON.stringify(createProjectSchema({ entries: entrySchemas, kinds, contactKinds }), null, 2)}\n`)
  return 0
}
