import { apiResource, mcpResource } from '#core/language/well-known.ts'
import type { AnyOperation } from '#operations/pipeline/operation.ts'
import { type Skill, namesIn, readSkill, skillNames } from './skills.ts'

export type SkillOptions = {
  /** Without a final slash. */
  publicUrl: string
  operations: readonly AnyOperation[]
}

/** Below the public address. */
export function skillPath(name: string): string {
  return `/skills/${name}.md`
}

/** Each guide as a file by its path, with what it takes to follow it here. */
export function skillDocuments(options: SkillOptions): { path: string; text: string }[] {
  return skillNames.map((name) => ({ path: skillPath(name), text: documentOf(readSkill(name), options) }))
}

function documentOf({ name, description, body }: Skill, { publicUrl, operations }: SkillOptions): string {
  const api = apiResource(publicUrl)
  const called = namesIn(body).flatMap((each) => operations.filter((operation) => operation.name === each))
  return [
    `---\nname: ${name}\ndescription: ${description}\n---\n\n${body.trimEnd()}`,
    '## Where it is',
    `The names are tools of the MCP server ${mcpResource(publicUrl)} and operations of the API ${api}. Both take a token ` +
      `in the header \`X-API-Key\`: ${publicUrl}/auth.md says how a program gets one. ${publicUrl}/openapi.json has ` +
      'every argument. Over HTTP, arguments that are in no path go into the query of a GET, and into the body of ' +
      'everything else.',
    `${called.map((operation) => `- \`${operation.name}\`: ${operation.method} ${api}${operation.path}`).join('\n')}\n`,
  ].join('\n\n')
}
