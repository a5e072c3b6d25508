// A collection of Postman: each folder with requests is one transaction.
import { createFindings, type Findings } from '#core/imports/findings.ts'
import { parseImportJson, readAs } from '#core/imports/import-json.ts'
import { ImportError, type ImportedFile, importLimits } from '#core/imports/imported.ts'
import { nameOf, notesOf } from '#core/imports/monitor-parts.ts'
import { transactionSettings } from '#core/imports/requests/transaction.ts'
import {
  collectionSchema,
  environmentSchema,
  itemSchema,
  type PostmanAuth,
  type PostmanCollection,
  type PostmanItem,
} from './postman-rows.ts'
import { type FlowRequest, stepsOfFlow } from './postman-steps.ts'
import { createVariables, newBudget, plainText, type Values, withVariables } from './postman-variables.ts'

/** A collection, and environments whose values come before those of the collection, in any order. Throws ImportError. */
export function readPostman(contents: readonly string[]): ImportedFile {
  const values = contents.map((content) => parseImportJson(content))
  const collections = values.filter((value) => !isEnvironment(value))
  const [only] = collections
  if (only === undefined) throw new ImportError('There is no collection, only an environment.')
  if (collections.length > 1) throw new ImportError('Import several collections one after the other.')
  const collection = readAs(only, collectionSchema)
  if (!/\/v2\.[01](?:\.\d+)?\//.test(collection.info.schema))
    throw new ImportError('It is no collection of version 2.1. Export it from Postman as such.')
  const findings = createFindings()
  const reading: Reading = { findings, environment: environmentOf(values.filter(isEnvironment)), budget: newBudget() }
  for (const folder of foldersOf(collection, findings)) readFolder(folder, reading)
  const file = findings.file()
  if (file.monitors.length === 0 && file.notes.length === 0) throw new ImportError('It holds no requests.')
  return file
}

function isEnvironment(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'values' in value && !('info' in value)
}

function environmentOf(values: readonly unknown[]): Values {
  const found = new Map<string, string>()
  for (const value of values)
    for (const { key, value: given, enabled } of readAs(value, environmentSchema).values)
      if (key !== null && enabled !== false) found.set(key, plainText(given))
  return found
}

type Folder = {
  names: readonly string[]
  place: string
  description: PostmanItem['description']
  /** Of the folder, or of what it lies in. */
  auth: PostmanAuth | null
  variables: Values
  requests: { item: PostmanItem; place: string }[]
}

const deepest = 20

/** Folders with requests of their own, in the order of the collection, which is the outermost one. */
function* foldersOf(collection: PostmanCollection, findings: Findings): Generator<Folder> {
  const root: Folder = {
    names: [collection.info.name ?? 'Postman'],
    place: '',
    description: collection.info.description,
    auth: collection.auth ?? null,
    variables: withVariables(new Map(), collection.variable),
    requests: [],
  }
  noteScripts(collection.event, 'event', findings)
  const open = [{ folder: root, items: collection.item }]
  let count = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { folder, items } = next
    const inner: typeof open = []
    for (const [index, given] of items.entries()) {
      count += 1
      if (count > importLimits.monitors) throw new ImportError(`It has more than ${importLimits.monitors} items.`)
      const place = `${folder.place === '' ? '' : `${folder.place}.`}item[${index}]`
      const item = readAs(given, itemSchema, place)
      if (item.item === null || item.item === undefined) folder.requests.push({ item, place })
      else if (folder.names.length > deepest) findings.lost(place, `It lies in more than ${deepest} folders.`)
      else {
        noteScripts(item.event, `${place}.event`, findings)
        inner.push({ folder: within(folder, item, place), items: item.item })
      }
    }
    if (folder.requests.length > 0) yield folder
    open.push(...inner.toReversed())
  }
}

function within(outer: Folder, item: PostmanItem, place: string): Folder {
  return {
    names: [...outer.names, item.name ?? 'Folder'],
    place,
    description: item.description,
    auth: item.auth ?? outer.auth,
    variables: withVariables(outer.variables, item.variable),
    requests: [],
  }
}

/** Those of folders run around each request. Postman writes empty ones. */
function noteScripts(event: unknown, place: string, findings: Findings): void {
  if (Array.isArray(event) && event.some((each: unknown) => /[^\s"[\],]/.test(scriptOf(each))))
    findings.lost(place, 'No scripts are run, so those of the folder are left out.')
}

function scriptOf(event: unknown): string {
  const { exec } = Object(Object(event).script)
  return Array.isArray(exec)
    ? exec
        .slice(0, 1_000)
        .filter((line) => typeof line === 'string')
        .join('\n')
    : plainText(exec)
}

type Reading = { findings: Findings; environment: Values; budget: ReturnType<typeof newBudget> }

function readFolder(folder: Folder, { findings, environment, budget }: Reading): void {
  const place = folder.place === '' ? 'item' : folder.place
  const where = { place, findings }
  const variables = createVariables(new Map([...folder.variables, ...environment]), budget)
  const requests = folder.requests.map(({ item, place: at }): FlowRequest => ({
    item,
    place: at,
    auth: folder.auth,
    variables,
  }))
  const { steps, options, isComplete } = stepsOfFlow(requests, where)
  if (steps.length === 0) return
  const name = nameOf(folder.names.slice(-2).join(' / '), 'Postman')
  const { check_options: made, ...settings } = transactionSettings(steps, variables.secrets())
  const { description } = folder
  findings.addMonitor({
    key: findings.keyOf('monitors', name),
    place,
    isPaused: !isComplete,
    history: [],
    input: {
      name,
      ...settings,
      check_options: { ...made, ...options },
      ...notesOf(typeof description === 'string' ? description : (description?.content ?? null), where),
      contacts: null,
    },
  })
}
