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

/**
 * The documents of a YAML file. Scalars stay texts, because `1.10` is a version and no number. Throws ManifestError.
 * An alias shares what it stands for, and merged keys are counted, so nothing grows beyond the file.
 */
export function parseYamlDocuments(content: string): readonly unknown[] {
  try {
    return loadAll(content, { schema: schema(), maxDepth: 100, maxAliases: 10_000, maxTotalMergeKeys: 10_000 })
  } catch (error) {
    const mark = error instanceof YAMLException ? error.mark : undefined
    const where = mark === undefined ? '' : ` (line ${mark.line + 1}, column ${mark.column + 1})`
    throw new ManifestError(`It is not valid YAML${where}.`, { cause: error })
  }
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
