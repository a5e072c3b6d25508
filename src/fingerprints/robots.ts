type Rule = { isAllowed: boolean; path: string }

/** Whether a path may be fetched; the path includes the query. */
export type RobotRules = (path: string) => boolean

const maxRules = 1000
const maxPathLength = 1000

/**
 * Reads what robots.txt lets an agent fetch (RFC 9309): the rules of the groups that name the agent, otherwise of `*`.
 * The longest matching rule decides, and of two equally long ones the one that allows.
 */
export function readRobots(text: string, agent: string): RobotRules {
  const groups = groupsOf(text)
  const own = groups.filter(({ agents }) => agents.includes(agent.toLowerCase()))
  const meant = own.length > 0 ? own : groups.filter(({ agents }) => agents.includes('*'))
  const rules = meant.flatMap((group) => group.rules).slice(0, maxRules)
  return (path) => {
    const fitting = rules.filter((rule) => fits(rule.path, path.slice(0, maxPathLength)))
    const longest = Math.max(...fitting.map((rule) => rule.path.length))
    return fitting.length === 0 || fitting.some((rule) => rule.isAllowed && rule.path.length === longest)
  }
}

type Group = { agents: string[]; rules: Rule[] }

function groupsOf(text: string): Group[] {
  const groups: Group[] = []
  let group: Group | null = null
  for (const line of text.split(/\r\n?|\n/)) {
    const [, name = '', value = ''] = /^\s*([a-z-]{1,20})\s*:([^#]{0,2000})/i.exec(line) ?? []
    const key = name.toLowerCase()
    if (key === 'user-agent') {
      // Consecutive lines name the agents of one group.
      if (group === null || group.rules.length > 0) groups.push((group = { agents: [], rules: [] }))
      group.agents.push(value.trim().split('/', 1)[0]?.toLowerCase() ?? '')
    }
    const path = value.trim()
    if ((key === 'allow' || key === 'disallow') && group !== null && path !== '')
      group.rules.push({ isAllowed: key === 'allow', path: path.slice(0, maxPathLength) })
  }
  return groups
}

/** `*` matches any text, a final `$` the end (RFC 9309 2.2.3). Each piece is searched once, from left to right. */
function fits(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$')
  const pieces = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  const [first = ''] = pieces
  if (!path.startsWith(first)) return false
  let at = first.length
  for (const piece of pieces.slice(1, isWhole ? -1 : undefined)) {
    const found = path.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  const last = pieces.at(-1) ?? ''
  if (!isWhole) return true
  return pieces.length === 1 ? path === first : path.endsWith(last) && path.length - last.length >= at
}
