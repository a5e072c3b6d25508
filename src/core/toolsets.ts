/**
 * The parts of the MCP endpoint, by the last member of their addresses (docs/mcp.md, "Toolsets"), each with what its
 * tools are for. `connect` and `server-card` are addresses of their own below `/mcp`, so that no part has these names.
 */
export const toolsets = {
  monitors: 'finds, makes, changes, tries, quotes and deletes monitors',
  incidents: 'says what is down and since when, what the checks found, and acknowledges incidents',
  contacts: 'makes, changes and tests contacts, and says in which order they are told',
  'on-call': 'says who is on call, and changes schedules and overrides',
  reports: 'makes, changes, reads and sends reports of weeks and months',
  objectives: 'makes, changes and reads service level objectives and their error budgets',
  software: 'says what targets run, what is known to be wrong with it, and what fixes it',
  account: 'says what the plan, the credit and the payments are, and tops up credit',
} as const satisfies Readonly<Record<string, string>>

export type ToolsetName = keyof typeof toolsets

export const toolsetNames: readonly ToolsetName[] = Object.keys(toolsets).filter(isToolset)

export function isToolset(name: string): name is ToolsetName {
  return Object.hasOwn(toolsets, name)
}
