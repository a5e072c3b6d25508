import { imageMention } from './image-reference.ts'
import { ManifestError, type Mention } from './manifest.ts'
import { hasOwnMembers } from './own-members.ts'
import { entriesOf, isRecord, member, textOf } from './shapes.ts'
import { substitute } from './variables.ts'
import { parseYamlDocuments } from './yaml.ts'

/** The images of a Compose file's services; variables get their defaults. Throws ManifestError. */
export function* readCompose(content: string): Generator<Mention> {
  for (const document of parseYamlDocuments(content)) {
    if (document !== '' && !isRecord(document)) throw new ManifestError('It is no Compose file: it has no keys.')
    if (isRecord(document) && !isCompose(document))
      throw new ManifestError('It is no Compose file: none of its keys is one of Compose.')
    for (const [, service] of entriesOf(member(document, 'services'))) {
      const image = textOf(member(service, 'image'))
      const mention = image === null ? null : imageMention(substitute(image.trim(), new Map()))
      if (mention !== null) yield mention
    }
  }
}

/**
 * The top-level elements of the Compose specification beside `name` and `version`; others begin with `x-`. An overlay may
 * have any one alone.
 */
const elements = ['services', 'include', 'networks', 'volumes', 'configs', 'secrets', 'models']

function isCompose(document: Readonly<Record<string, unknown>>): boolean {
  return hasOwnMembers(document, elements) || Object.keys(document).some((key) => key.startsWith('x-'))
}
