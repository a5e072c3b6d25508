// The file of a project that a discovery writes: what was approved, and which proposals were not.
import { dump } from 'js-yaml'
import { z } from 'zod'
import { isSameJson } from '#core/language/json-path.ts'
import { plainValue } from '#core/projects/tree.ts'
import { readYaml, type Source } from '#core/projects/yaml-tree.ts'
import type { Proposal } from './proposal.ts'

type Entry = { key: string } & Record<string, unknown>

/** `refused` are keys, so that nobody is asked again. */
export type DiscoveredFile = {
  project: string | null
  source: string
  monitors: readonly Entry[]
  refused: readonly string[]
}

export type Change = { type: 'new' | 'changed'; proposal: Proposal } | { type: 'gone'; key: string; name: string }

const fileSchema = z.object({
  project: z.string().nullish(),
  monitors: z.array(z.looseObject({ key: z.string() })).nullish(),
  'x-discovered': z.object({ source: z.string(), refused: z.array(z.string()).nullish() }),
})

/** Null for a file that no discovery wrote. Throws ProjectError for what is not YAML. */
export function readDiscovered(source: Source): DiscoveredFile | null {
  const tree = readYaml(source)
  const read = fileSchema.safeParse(tree === null ? null : plainValue(tree))
  if (!read.success) return null
  const { project, monitors, 'x-discovered': own } = read.data
  return { project: project ?? null, source: own.source, monitors: monitors ?? [], refused: own.refused ?? [] }
}

export function writeDiscovered({ project, source, monitors, refused }: DiscoveredFile): string {
  const document = {
    ...(project === null ? {} : { project }),
    monitors,
    'x-discovered': { source, refused },
  }
  const told = `# Written by "perigee discover ${source}", which writes it anew: change labels and annotations instead of it.\n`
  return `# yaml-language-server: $schema=perigee.schema.json\n${told}\n${dump(document, { noRefs: true, lineWidth: -1 })}`
}

export function entryOf({ key, fields }: Proposal): Entry {
  return { key, ...fields }
}

/** What would change in the file. What was refused before is not among it. */
export function changesOf(file: DiscoveredFile, proposals: readonly Proposal[]): Change[] {
  const known = new Map(file.monitors.map((entry) => [entry.key, entry]))
  const refused = new Set(file.refused)
  const found = new Set(proposals.map(({ key }) => key))
  const changes = proposals.flatMap((proposal): Change[] => {
    const before = known.get(proposal.key)
    if (before === undefined) return refused.has(proposal.key) ? [] : [{ type: 'new', proposal }]
    return isSameJson(before, entryOf(proposal)) ? [] : [{ type: 'changed', proposal }]
  })
  const gone = file.monitors.filter(({ key }) => !found.has(key))
  return [...changes, ...gone.map(({ key, name }): Change => ({ type: 'gone', key, name: String(name) }))]
}

/** The file after what was decided. A new one that was not approved is refused; what was not decided stays as it was. */
export function withDecisions(file: DiscoveredFile, decisions: ReadonlyMap<Change, boolean>): DiscoveredFile {
  const monitors = new Map(file.monitors.map((entry) => [entry.key, entry]))
  const refused = new Set(file.refused)
  for (const [change, isApproved] of decisions) {
    if (!isApproved) {
      if (change.type === 'new') refused.add(change.proposal.key)
    } else if (change.type === 'gone') monitors.delete(change.key)
    else monitors.set(change.proposal.key, entryOf(change.proposal))
  }
  return { ...file, monitors: [...monitors.values()], refused: [...refused].toSorted() }
}
