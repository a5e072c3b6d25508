import {
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

/** Lockfiles have two at most. The parser takes as long for the mark that begins one as for a hundred letters. */
const maxDocuments = 1_000

/**
 * The documents of a YAML file. Scalars stay texts, because `1.10` is a version and no number. Throws ManifestError.
 * An alias shares what it stands for, and merged keys are counted, so nothing grows beyond the file.
 */
export function parseYamlDocuments(content: string): readonly unknown[] {
  if (hasMoreMarks(content, maxDocuments)) throw new ManifestError('It has more than 1,000 YAML documents.')
  try {
    return loadAll(content, { schema: schema(), maxDepth: 100, maxAliases: 10_000, maxTotalMergeKeys: 10_000 })
  } catch (error) {
    const mark = error instanceof YAMLException ? error.mark : undefined
    const where = mark === undefined ? '' : ` (line ${mark.line + 1}, column ${mark.column + 1})`
    throw new ManifestError(`It is not valid YAML${where}.`, { cause: error })
  }
}

/** Of those that begin and end documents, which stand at the beginning of a line and nowhere else (YAML 1.2.2, 9.1). */
function hasMoreMarks(content: string, most: number): boolean {
  let marks = 0
  for (const _ of content.matchAll(/^(?:---|\.\.\.)/gm)) if (++marks > most) return true
  return false
}

/** Tags of one's own, such as `!override` of Compose files, change nothing about the value. */
function schema(): Schema {
  const anyTag = { matchByTagPrefix: true }
  return FAILSAFE_SCHEMA.withTags(
    mergeTag,
    defineScalarTag('!', { ...anyTag, resolve: (source) => source, identify: () => false }),
    defineSequenceTag('!', { ...seqTag, ...anyTag, identify: () => false }),
    defineMappingTag('!', { ...mapTag, ...anyTag, identify: () => false }),
  )
}
