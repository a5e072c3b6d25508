import { readAddresses } from '#core/imports/addresses.ts'
import { readBlackbox } from '#core/imports/blackbox/blackbox.ts'
import { withVariables } from '#core/imports/gatus/gatus-variables.ts'
import { readGatus } from '#core/imports/gatus/gatus.ts'
import { readHar } from '#core/imports/har/har.ts'
import { readHealthchecks } from '#core/imports/healthchecks.ts'
import { assertLength, parseImportJson } from '#core/imports/import-json.ts'
import type { ImportSource, SourceFile } from '#core/imports/import-source.ts'
import { ImportError, type ImportedFile } from '#core/imports/imported.ts'
import { readKuma, readKumaBackup } from '#core/imports/kuma/kuma.ts'
import { readOpenapi } from '#core/imports/openapi/openapi.ts'
import { readPostman } from '#core/imports/postman/postman.ts'
import { readUptimeRobot } from '#core/imports/uptimerobot/uptimerobot.ts'
import { registrableDomains } from '#kinds/dns/registrable-domain.ts'
import { ManifestError } from '#manifests/manifest.ts'
import { parseTypedYaml, parseYamlDocuments } from '#manifests/yaml.ts'
import { readKumaDatabase } from '#store/imports/kuma-database.ts'

export type SourceOptions = {
  now: Date
  /** A variable of the environment, null where it is not set: Gatus reads its configuration with them. */
  variable: (name: string) => string | null
  /** The ping key of a project of Healthchecks. */
  pingKey: string | null
  /** Where the copy of a database is made. */
  temporary: string
}

/** What the files of a source hold. Throws ImportError. */
export async function readSource(
  source: ImportSource,
  files: readonly SourceFile[],
  options: SourceOptions,
): Promise<ImportedFile> {
  const { now, variable, pingKey, temporary } = options
  switch (source) {
    case 'kuma': {
      const only = onlyOne(files)
      if (only.text !== null) return readKumaBackup(only.text, now)
      return readKuma(await readKumaDatabase(only.path, { temporary, name: only.file }), now)
    }
    case 'gatus':
      return readGatus(files.flatMap((file) => documentsOf(file.file, withVariables(textOf(file), variable))))
    case 'blackbox':
      return readBlackbox(files.flatMap((file) => documentsOf(file.file, textOf(file))))
    case 'uptimerobot':
      return readUptimeRobot(textOf(onlyOne(files)), now)
    case 'healthchecks':
      return readHealthchecks(textOf(onlyOne(files)), pingKey)
    case 'har':
      return readHar(textOf(onlyOne(files)), await registrableDomains())
    case 'postman':
      return readPostman(files.map(textOf))
    case 'openapi': {
      const only = onlyOne(files)
      const text = textOf(only)
      return readOpenapi(/^\s*\{/.test(text) ? [parseImportJson(text)] : documentsOf(only.file, text, parseTypedYaml))
    }
    case 'list':
      return readAddresses(textOf(onlyOne(files)))
  }
}

function onlyOne(files: readonly SourceFile[]): SourceFile {
  const [first, second] = files
  if (first === undefined) throw new ImportError('There is no file to read.')
  if (second !== undefined) throw new ImportError('This source has one file. Import several files one after the other.')
  return first
}

function textOf({ file, text }: SourceFile): string {
  if (text === null) throw new ImportError(`${file} is a database of SQLite, and no file of this source.`)
  assertLength(text)
  return text
}

function documentsOf(file: string, text: string, parse = parseYamlDocuments): readonly unknown[] {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error
    throw new ImportError(`${file}: ${error.message}`, { cause: error })
  }
}
