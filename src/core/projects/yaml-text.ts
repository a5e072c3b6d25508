import { dump } from 'js-yaml'
import { sections } from './entries.ts'
import type { ExportedProject } from './export-project.ts'

/** The file of an exported project, which begins with what has to be set before it can be read. */
export function yamlOf({ document, variables }: ExportedProject): string {
  const needed = variables.map(({ name, section, key, path }) => `#   ${name}  ${path} of ${key} in ${section}\n`)
  const told =
    needed.length === 0
      ? ''
      : `#\n# Secrets are not in here. Set these variables of the environment:\n#\n${needed.join('')}`
  const body = dump(document, { noRefs: true, lineWidth: -1 })
  return `# yaml-language-server: $schema=perigee.schema.json\n${told}\n${spaced(body)}`
}

/** An empty line before each section. */
function spaced(body: string): string {
  return body.replace(beforeSection, '\n')
}

const beforeSection = new RegExp(`^(?=(?:${sections.join('|')}):$)`, 'gm')
