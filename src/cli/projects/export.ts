import { closeSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { z } from 'zod'
import { idForm, idRule } from '#core/projects/entries.ts'
import { type NeededVariable, exportProject } from '#core/projects/export-project.ts'
import { exportSchema, type WorkspaceExport } from '#core/projects/export-record.ts'
import { yamlOf } from '#core/projects/yaml-text.ts'
import { StartError } from '#store/database/start-error.ts'
import { asksForHelp, readArguments } from '#cli/arguments.ts'
import { readFrom, readService, type Service } from '#cli/service.ts'
import { usageOf } from '#cli/definitions/definition.ts'
import { exportDefinition } from '#cli/definitions/projects.ts'
import { type Terminal, UsageError } from '#cli/terminal.ts'
import { historyMembers } from './export-history.ts'
import { pacedService, type PacedService } from './paced-service.ts'

const exportUsage = usageOf(exportDefinition)

const { options } = exportDefinition

/** Some thousand monitors with long bodies. */
const maxAnswerBytes = 256 * 1024 * 1024

const answerSchema = z.object({ data: exportSchema })

/** `perigee export`: see its usage. */
export async function runExport(argv: readonly string[], terminal: Terminal): Promise<number> {
  if (asksForHelp(argv)) {
    terminal.out.write(exportUsage)
    return 0
  }
  const { values, positionals } = readArguments(argv, options, exportUsage)
  const { project = 'main', output = null, json: isJson = false, history: hasHistory = false } = values
  if (positionals.length > 0) throw new UsageError('Too many arguments.', exportUsage)
  if (!idForm.test(project)) throw new UsageError(`--project: ${idRule}`, exportUsage)
  if (hasHistory && !isJson)
    throw new UsageError('--history only works with --json: a project file has no history.', exportUsage)
  const service = readService(values, exportUsage)
  const workspace = await askExport(service)
  if (hasHistory)
    await writePieces(
      withHistory(
        workspace,
        pacedService(service, () => {}),
      ),
      output,
      terminal,
    )
  else if (isJson) write(`${JSON.stringify(workspace, null, 2)}\n`, output, terminal)
  else {
    const exported = exportProject(project, workspace)
    write(yamlOf(exported), output, terminal)
    terminal.err.write(remarkOf(exported.variables))
  }
  return 0
}

export async function askExport(service: Service): Promise<WorkspaceExport> {
  const asked = await readFrom(service, 'export', maxAnswerBytes)
  if (!asked.ok) throw new StartError(asked.problem)
  const answer = answerSchema.safeParse(asked.body)
  if (!answer.success)
    throw new StartError('The answer of the service is not an export. Is the service on the same release?')
  return answer.data.data
}

async function* withHistory(workspace: WorkspaceExport, service: PacedService): AsyncGenerator<string> {
  yield `${JSON.stringify(workspace, null, 2).slice(0, -2)},\n`
  yield* historyMembers(service)
  yield '\n}\n'
}

/** A file that could not be written whole is removed. */
async function writePieces(pieces: AsyncIterable<string>, output: string | null, { out }: Terminal): Promise<void> {
  if (output === null) {
    for await (const piece of pieces) out.write(piece)
    return
  }
  const file = attempt(() => openSync(output, 'wx'))
  try {
    for await (const piece of pieces) writeSync(file, piece)
  } catch (error) {
    rmSync(output)
    throw error
  } finally {
    closeSync(file)
  }
}

function write(text: string, output: string | null, { out }: Terminal): void {
  if (output === null) {
    out.write(text)
    return
  }
  attempt(() => writeFileSync(output, text, { flag: 'wx' }))
}

function attempt<Value>(work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    throw new StartError(error instanceof Error ? error.message : String(error))
  }
}

function remarkOf(variables: readonly NeededVariable[]): string {
  if (variables.length === 0) return ''
  return `The file holds no secrets. Set these variables: ${variables.map(({ name }) => name).join(', ')}.\n`
}
