import { importSources } from '#core/imports/import-source.ts'
import { namesOf } from '#core/language/tables.ts'
import { readConfig } from '#config/config.ts'
import { readVariables } from '#config/config-service.ts'
import { createNet } from '#net/create-net.ts'
import { createGuard } from '#net/dial/guard.ts'
import { privateNotes, type SettledImport } from '#operations/imports/import-project.ts'
import { readInThread, type ReadImport } from '#operations/imports/source-thread.ts'
import { asksForHelp } from '#cli/arguments.ts'
import { type Terminal, UsageError } from '#cli/terminal.ts'
import { applyImport } from './apply-import.ts'
import { type ImportInput, importUsage, parseImportArguments, type ReportOrder, wrong } from './import-arguments.ts'
import { namedFiles, variablesText, writeNew } from './import-files.ts'
import { isPlain, reportJson, reportText } from './import-report.ts'
import { finishImport } from './finish-import.ts'
import { type Trial, tryMonitors } from './try-monitors.ts'
import { undoImport } from './undo-import.ts'

const somethingToLookAt = 2
const nothingDone = 1

/** `perigee import`: see its usage. */
export async function runImport(argv: readonly string[], terminal: Terminal): Promise<number> {
  if (asksForHelp(argv)) {
    terminal.out.write(importUsage)
    return 0
  }
  try {
    return await runOrder(argv, terminal)
  } catch (error) {
    // Otherwise a wrong argument would end with the code of a file that has something to look at.
    if (!(error instanceof UsageError)) throw error
    terminal.err.write(`${error.message}\n\n${error.usage}`)
    return nothingDone
  }
}

async function runOrder(argv: readonly string[], terminal: Terminal): Promise<number> {
  const order = parseImportArguments(argv)
  switch (order.type) {
    case 'undo':
      return undoImport(order, terminal)
    case 'finish':
      return finishImport(await settle(order.input, true), order.service, terminal)
    case 'apply':
      return applyImport(await settle(order.input, true), order, terminal)
    case 'report':
      return reportImport(order, terminal)
  }
}

async function settle({ source, paths, project, pingKey }: ImportInput, hidesSecrets: boolean): Promise<ReadImport> {
  const reading = { files: namedFiles(paths), source, project, hidesSecrets, pingKey, wants: 'whole' } as const
  const read = await readInThread({ ...reading, now: new Date(), variables: readVariables() })
  if (read === null) throw wrong(`The source was not recognized. Name it: ${namesOf(importSources).join(', ')}.`)
  const { file, dialled, ...rest } = read.settled
  const notes = [...file.notes, ...privateNotes(dialled, createGuard('none').isForbiddenAddress)]
  return { ...read, settled: { ...rest, dialled, file: { ...file, notes } } }
}

async function reportImport(order: ReportOrder, terminal: Terminal): Promise<number> {
  const { source, settled } = await settle(order.input, !order.isInline)
  refuseOpenSecrets(order, settled)
  const trials = order.tryForMs === null ? null : await tryAll(settled, order.tryForMs)
  const report = { source, settled, trials }
  terminal.out.write(order.isJson ? `${JSON.stringify(reportJson(report))}\n` : reportText(report))
  writeProject(order, settled, terminal)
  return isPlain(report) ? 0 : somethingToLookAt
}

/** Files of projects are made to be shared, so that secrets stand in one only where that is wished for. */
function refuseOpenSecrets({ output, secrets, isInline }: ReportOrder, settled: SettledImport): void {
  if (output === null || secrets !== null || isInline || settled.secrets.size === 0) return
  throw wrong(
    `The file holds ${settled.secrets.size} secrets. Give --secrets <file> to write them to a file, or --inline-secrets to keep them in the project file.`,
  )
}

const atOnce = 16

async function tryAll({ project }: SettledImport, forMs: number): Promise<ReadonlyMap<string, Trial>> {
  const { services, dnsServers } = readConfig()
  const net = createNet({ allowPrivate: 'all', services, ...(dnsServers.length === 0 ? {} : { dnsServers }) })
  const monitors = project.entries.filter(({ section }) => section === 'monitors')
  return tryMonitors(monitors, { net, atOnce, forMs })
}

function writeProject({ output, secrets, isInline }: ReportOrder, settled: SettledImport, { err }: Terminal): void {
  if (output === null) return
  for (const [at, text] of settled.texts.entries()) {
    const path = at === 0 ? output : output.replace(/(\.ya?ml)?$/, (ending) => `-${at + 1}${ending}`)
    writeNew(path, text, { isSecret: isInline })
    err.write(`Written: ${path}\n`)
  }
  if (secrets === null) return
  writeNew(secrets, variablesText(settled.secrets), { isSecret: true })
  err.write(`Written: ${secrets}, with ${settled.secrets.size} variables to set before you use the project file.\n`)
}
