import { type JsonSchema, toJsonSchemas } from '#api-document/openapi-schemas.ts'
import { agentPaths } from './agent-paths.ts'
import { agentInputs } from './agent-schemas.ts'
import { callPaths } from './call-paths.ts'
import { besideTags, type Described, pathsBeside } from './described.ts'
import { oauthPaths } from './oauth-paths.ts'
import { documentPaths } from './document-paths.ts'
import { samlPaths } from './saml-paths.ts'
import { besideAnswers } from './document-schemas.ts'

/** What is served beside the API, in the order of the document. `publicUrl` has no final slash. */
export function describedBeside(publicUrl: string): Described[] {
  return [...documentPaths(publicUrl), ...agentPaths, ...oauthPaths, ...callPaths, ...samlPaths]
}

export function pathsBesideApi(publicUrl: string): JsonSchema {
  return pathsBeside(describedBeside(publicUrl), publicUrl)
}

export const besideTagList: readonly JsonSchema[] = Object.entries(besideTags).map(([name, description]) => ({
  name,
  description,
}))

export function besideSchemas(): JsonSchema {
  const answers = toJsonSchemas({ named: besideAnswers, inline: new Map(), direction: 'output' })
  const inputs = toJsonSchemas({ named: agentInputs, inline: new Map(), direction: 'input' })
  return Object.fromEntries([...answers, ...inputs])
}
