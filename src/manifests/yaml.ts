import {
  CORE_SCHEMA,
  defineMappingTag,
  defineScalarTag,
  defineSequenceTag,
  FAILSAFE_SCHEMA,
  loadAll,
  mapTag,
  mergeTag,
  type Schema,
  seqTag,
  YAMLException,
} from 'js-yaml'
import { ManifestError } from './manifest.ts'

/**
 * Lockfiles have at most two. For the mark that begins a document the parser takes as long as for a hundred letters.
 */
const maxDocuments = 1_000

/**
 * The documents of a YAML file. Scalars stay texts, because `1.10` is a version and no number. An alias shares its
 * value and merged keys are counted, so the result cannot outgrow the file. Throws ManifestError.
 */
export function parseYamlDocuments(content: string): readonly unknown[] {
  return documentsOf(content, textSchema())
}

/** The same, with numbers, booleans and null as the core schema of YAML has them (YAML 1.2.2, 10.3). */
export function parseTypedYaml(content: string): readonly unknown[] {
  return documentsOf(content, CORE_SCHEMA.withTags(mergeTag))
}

function documentsOf(content: string, schema: Schema): readonly unknown[] {
  if (hasMoreMarks(content, maxDocuments)) throw new ManifestError('It has more than 1,000 YAML documents.')
  try {
    return loadAll(content, { schema, maxDepth: 100, maxAliases: 10_000, maxTotalMergeKeys: 10_000 })
  } catch (error) {
    const mark = error instanceof YAMLException ? error.mark : undefined
    const where = mark === undefined ? '' : ` (line ${mark.line + 1}, column ${mark.column + 1})`
    throw new ManifestError(`It is not valid YAML${where}.`, { cause: error })
  }
}

/** Counts the marks that begin and end documents, which stand only at the start of a line (YAML 1.2.2, 9.1). */
function hasMoreMarks(content: string, most: number): boolean {
  let marks = 0
  for (const _ of content.matchAll(/^(?:---|\.\.\.)/gm)) if (++marks > most) return true
  return false
}

/**
 * Custom tags, such as `!override` in Compose files, do not change the value, nor do those of YAML that say how a text
 * is to be read, such as `!!binary`.
 */
function textSchema(): Schema {
  const anyTag = { matchByTagPrefix: true }
  return FAILSAFE_SCHEMA.withTags(
    mergeTag,
    defineScalarTag('tag:yaml.org,2002:', { ...anyTag, resolve: (source) => source, identify: () => false }),
    defineScalarTag('!', { ...anyTag, resolve: (source) => source, identify: () => false }),
    defineSequenceTag('!', { ...seqTag, ...anyTag, identify: () => false }),
    defineMappingTag('!', { ...mapTag, ...anyTag, identify: () => false }),
  )
}
