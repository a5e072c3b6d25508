// Short guides to what people ask of a monitoring service most often, for models, as files that they can keep
// (https://agentskills.io/specification) and as prompts of the MCP endpoint.
import { readFileSync } from 'node:fs'

export const skillNames = ['watch-my-site', 'why-is-it-down', 'weekly-report', 'cut-noise', 'prove-the-fix'] as const
export type SkillName = (typeof skillNames)[number]

export type Skill = {
  name: SkillName
  /** The heading of the guide. */
  title: string
  /** What it does and when to use it, in at most 1,024 characters. */
  description: string
  /** The guide as Markdown, without its head. */
  body: string
}

export function readSkill(name: SkillName): Skill {
  const text = readFileSync(new URL(`${name}.md`, import.meta.url), 'utf8')
  const [, description, body, title] = /^---\nname: .+\ndescription: (.+)\n---\n\n(# (.+)\n[^]+)$/.exec(text) ?? []
  if (description === undefined || body === undefined || title === undefined)
    throw new Error(`The guide ${name}.md does not begin with its name, its description and a heading.`)
  return { name, title, description, body }
}

/** What stands in backquotes as names of the API do, with an underscore: operations, members and values. */
export function namesIn(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g), ([, name = '']) => name))]
}
