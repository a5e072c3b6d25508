import { type Skill, type SkillName, namesIn, readSkill, skillNames } from '#api-document/skills/skills.ts'
import { addDays, dayOf } from '#core/language/utc-day.ts'
import type { AnyOperation } from '#operations/pipeline/operation.ts'
import { type ReadResource, type ResourceContents, downUri } from './resources.ts'
import type { Visit } from './visit.ts'

export type PromptMessage = {
  role: 'user'
  content: { type: 'text'; text: string } | { type: 'resource'; resource: ResourceContents }
}

export type Prompt = {
  definition: { name: string; title: string; description: string; arguments?: PromptArgument[] }
  /** The tools that it speaks of: where one is not offered, it is not either. */
  tools: readonly string[]
  write: (visit: Visit, readResource: ReadResource, given: Readonly<Record<string, string>>) => Promise<PromptMessage[]>
}

export type PromptArgument = { name: string; description: string; required: false }

/** All prompts: those of our own, then the guides that are files too. */
export function createPrompts(operations: readonly AnyOperation[]): Prompt[] {
  return [...prompts, ...guides.map((name) => guideOf(readSkill(name), operations))]
}

/** The guide to reports is a prompt above, which names the days. */
const guides = skillNames.filter((name) => name !== 'weekly-report')

const subjects: Readonly<Partial<Record<SkillName, Omit<PromptArgument, 'required'>>>> = {
  'watch-my-site': { name: 'url', description: 'The address to watch.' },
  'why-is-it-down': { name: 'monitor', description: 'The monitor, by its name.' },
  'prove-the-fix': { name: 'monitor', description: 'The monitor of what was fixed, by its name.' },
}

const mostOfSubject = 2_000

function guideOf({ name, title, description, body }: Skill, operations: readonly AnyOperation[]): Prompt {
  const names = new Set(namesIn(body))
  const subject = subjects[name]
  return {
    definition: {
      name: name.replaceAll('-', '_'),
      title,
      description,
      ...(subject === undefined ? {} : { arguments: [{ ...subject, required: false }] }),
    },
    tools: operations.map((operation) => operation.name).filter((each) => names.has(each)),
    write: async (_visit, _readResource, given) => {
      const about = subject === undefined ? undefined : given[subject.name]
      return [said(body), ...(about === undefined ? [] : [said(`This is about: ${about.slice(0, mostOfSubject)}`)])]
    },
  }
}

/** What people ask of a monitoring service most often, for the menus of clients. */
const prompts: readonly Prompt[] = [
  {
    definition: {
      name: 'what_is_down',
      title: 'What is down, and why',
      description: 'Looks at what is down or degraded now, and says since when, why, and what to do.',
    },
    tools: ['list_results', 'get_incident'],
    write: async (visit, readResource) => [
      said(
        'Here is what is down or degraded now. For each monitor, the first ten where there are more, call list_results ' +
          '(limit 20), and get_incident where it has an incident, and tell me: since when, from which locations, the ' +
          'likely cause in one sentence, and what to do first. Name what several have in common, such as a host or a ' +
          'location. If nothing is down, say so in one sentence.',
      ),
      { role: 'user', content: { type: 'resource', resource: await readResource(downUri, visit) } },
    ],
  },
  {
    definition: {
      name: 'weekly_report',
      title: 'Weekly report',
      description: 'Writes what happened in the last seven whole days: uptime, incidents, what needs attention.',
    },
    tools: ['list_incidents', 'list_monitors', 'get_uptime'],
    write: async ({ frame }) => {
      const today = dayOf(frame.now())
      const [from, to] = [addDays(today, -7), addDays(today, -1)]
      return [
        said(
          `Write a report of the UTC days ${from} to ${to}. Call list_incidents, which has the newest first, until those ` +
            'that ended before these days, and list_monitors; for each monitor that is not paused call get_uptime with ' +
            `from ${from} and to ${to}. With more monitors than list_monitors shows at once, do so for those that had ` +
            'incidents, and say how many there are in all. First the whole in one sentence, then a table with monitor, ' +
            'uptime percent, incidents and minutes down, worst first, then each incident in one line with its cause, ' +
            'then what needs attention next week: certificates and domains that expire within 30 days (cert_expires_at ' +
            'and domain_expires_at of list_monitors), monitors that were slow, incidents that run and that nobody ' +
            'acknowledged.',
        ),
      ]
    },
  },
]

function said(text: string): PromptMessage {
  return { role: 'user', content: { type: 'text', text } }
}
