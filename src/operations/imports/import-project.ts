import type { ContactInput } from '#core/contacts/contact-record.ts'
import { findContactKind } from '#contacts/index.ts'
import type { ImportedFile, ImportNote } from '#core/imports/imported.ts'
import { type ImportProject, projectDocument } from '#core/imports/project-document.ts'
import { withoutEntries } from '#core/imports/without-entries.ts'
import { importedPath, pushPath } from '#core/monitors/imported-calls.ts'
import { usualKind } from '#core/monitors/kind-traits.ts'
import { type Section, sections } from '#core/projects/entries.ts'
import type { Project } from '#core/projects/project.ts'
import { ProjectError } from '#core/projects/project-error.ts'
import { yamlOf } from '#core/projects/yaml-text.ts'
import { kinds } from '#kinds/index.ts'
import type { ForbiddenAddress } from '#kinds/kind.ts'
import { secretOptionsOf } from '#operations/projects/secret-options.ts'
import { readProject } from '#operations/projects/read-project.ts'
import { withoutExpectations } from './without-expectations.ts'

/** An import as a project that the service takes, as far as that is known without asking it. */
export type SettledImport = {
  /** What is left of the file, with the notes of what is not. */
  file: ImportedFile
  project: Project
  /** The text of each file of the project, which has variables in place of secrets where these are hidden. */
  texts: readonly string[]
  secrets: ImportProject['secrets']
  /** The addresses at which the jobs of the source call, and which they can go on calling, with their monitors. */
  calls: readonly { monitorKey: string; path: string }[]
  /** What it would dial by literal addresses, which a service may have to be told to allow. */
  dialled: readonly Dialled[]
}

/** The hosts of one monitor or contact. */
export type Dialled = { place: string; section: 'contacts' | 'monitors'; hosts: readonly string[] }

export type Settling = { project: string; hidesSecrets: boolean }

/** Entries that are refused are left out one after the other, with what names them. */
const maxTurns = 20

/** Leaves out what the service would refuse, and notes it. Throws ProjectError for what is no fault of one entry. */
export function settleImport(given: ImportedFile, settling: Settling): SettledImport {
  let file = withoutRefused(withoutExpectations(given), (each) => ownRefusals(each))
  for (let turn = 1; ; turn += 1) {
    const { files, secrets } = projectDocument(file, { ...settling, secretOptions: secretOptionsOf })
    const texts = files.map(yamlOf)
    try {
      const sources = texts.map((text, at) => ({ file: `import-${at + 1}`, text }))
      const around = { environment: (name: string) => secrets.get(name) ?? null, readFile: () => null }
      const project = readProject(sources, around)
      const { calls, notes } = callsOf(file)
      const told = { ...file, notes: [...file.notes, ...notes] }
      return { file: told, project, texts, secrets, calls, dialled: dialledBy(file) }
    } catch (error) {
      const refused = error instanceof ProjectError ? refusedBy(error) : []
      if (refused.length === 0 || turn === maxTurns) throw error
      file = withoutRefused(file, () => refused)
    }
  }
}

type Refused = { section: Section; key: string; problem: string }

function withoutRefused(file: ImportedFile, find: (file: ImportedFile) => readonly Refused[]): ImportedFile {
  const refused = find(file)
  return refused.length === 0 ? file : withoutEntries(file, refused)
}

/** Problems of entries begin with the section and the key, which has no full stop in an import. */
function refusedBy({ problems }: ProjectError): Refused[] {
  return problems.flatMap(({ path, message }) => {
    const [name, key, ...rest] = path.split('.')
    const section = sections.find((each) => each === name)
    if (section === undefined || key === undefined) return []
    return [{ section, key, problem: rest.length === 0 ? message : `${rest.join('.')}: ${message}` }]
  })
}

const anyHost: ForbiddenAddress = () => false

/** What the service asks of targets and destinations beside the schemas. */
function ownRefusals(file: ImportedFile): Refused[] {
  const monitors = file.monitors.flatMap(({ key, input }): Refused[] => {
    const kind = kinds[input.kind ?? usualKind]
    const problem = kind.isPassive ? null : kind.targetProblem(input.url ?? '', anyHost)
    return problem === null ? [] : [{ section: 'monitors', key, problem: `url: ${problem}` }]
  })
  const contacts = file.contacts.flatMap(({ key, input }): Refused[] => {
    const problem = contactProblem(input, anyHost)
    return problem === null ? [] : [{ section: 'contacts', key, problem }]
  })
  return [...contacts, ...monitors]
}

function contactProblem(
  { kind: name, destination, options }: ContactInput,
  isForbidden: ForbiddenAddress,
): string | null {
  const kind = findContactKind(name)
  if (kind === null) return null
  const wrong = kind.destinationProblem(destination, isForbidden)
  if (wrong !== null) return `destination: ${wrong}`
  const parsed = kind.options.safeParse(options ?? {})
  if (!parsed.success) return null
  const [problem] = Object.entries(kind.optionProblems(parsed.data, isForbidden))
  return problem === undefined ? null : `options.${problem[0]}: ${problem[1]}`
}

const checkedOnceAllowed = 'It is checked once the range is listed in PERIGEE_ALLOW_PRIVATE_TARGETS of the service.'
const toldOnceAllowed = 'It gets alerts once the range is listed in PERIGEE_ALLOW_PRIVATE_TARGETS of the service.'

/** Of what stands at addresses that a service does not dial unless its settings allow it. */
export function privateNotes(dialled: readonly Dialled[], isPrivate: ForbiddenAddress): ImportNote[] {
  return dialled.flatMap(({ place, section, hosts }): ImportNote[] => {
    if (!hosts.some(isPrivate)) return []
    const message =
      section === 'monitors'
        ? `Its target is a private address. ${checkedOnceAllowed}`
        : `Its address is private. ${toldOnceAllowed}`
    return [{ place, effect: 'changed', message }]
  })
}

function dialledBy(file: ImportedFile): Dialled[] {
  const asked = (place: string, section: Dialled['section'], ask: (note: ForbiddenAddress) => unknown): Dialled => {
    const hosts: string[] = []
    ask((host) => {
      hosts.push(host)
      return false
    })
    return { place, section, hosts }
  }
  const contacts = file.contacts.map(({ place, input }) =>
    asked(place, 'contacts', (note) => contactProblem(input, note)),
  )
  const monitors = file.monitors.flatMap(({ place, input }) => {
    const kind = kinds[input.kind ?? usualKind]
    return kind.isPassive ? [] : [asked(place, 'monitors', (note) => kind.targetProblem(input.url ?? '', note))]
  })
  return [...contacts, ...monitors].filter(({ hosts }) => hosts.length > 0)
}

function callsOf({ heartbeats, monitors }: ImportedFile): Pick<SettledImport, 'calls'> & { notes: ImportNote[] } {
  const places = new Map(monitors.map(({ key, place }) => [key, place]))
  const calls: { monitorKey: string; path: string }[] = []
  const notes: ImportNote[] = []
  const taken = new Set<string>()
  for (const { monitorKey, address } of heartbeats) {
    const path = address.type === 'kuma_push' ? pushPath + address.token : `/ping/${address.token}`
    const place = places.get(monitorKey)
    if (place === undefined) continue
    const lost = (why: string): void =>
      void notes.push({ place, effect: 'changed', message: `${why} Its job has to be given its new address.` })
    if (taken.has(path)) lost('Another monitor of the file has the same address.')
    else if (importedPath.safeParse(path).success) calls.push({ monitorKey, path })
    else lost('Its address is too short to be a secret, or has characters that addresses here do not have.')
    taken.add(path)
  }
  return { calls, notes }
}
