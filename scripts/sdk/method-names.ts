/** How a method of the SDK is called: `perigee.<group>.<method>()`. */
export type MethodName = { group: string; method: string }

/** Names that the rule would make long or empty. */
const named: Readonly<Record<string, MethodName>> = {
  export_workspace: { group: 'workspace', method: 'export' },
  top_up_credit: { group: 'credits', method: 'topUp' },
}

/**
 * The group is the first part of the path, the method the name of the operation without the words of the group:
 * `pause_monitor` of /monitors/{id}/pause is `monitors.pause`, and `list_monitor_events` is `monitors.listEvents`.
 */
export function methodName({ operationId, path }: { operationId: string; path: string }): MethodName {
  const known = named[operationId]
  if (known !== undefined) return known
  const group = (path.split('/')[1] ?? '').split('-')
  const [verb = '', ...words] = operationId.split('_')
  const same = words.findIndex((word, at) => singular(word) !== singular(group[at] ?? ''))
  const rest = same === -1 ? [] : words.slice(same)
  return { group: camelCase(group), method: camelCase([verb, ...rest]) }
}

function singular(word: string): string {
  return word.replace(/ies$/, 'y').replace(/s$/, '')
}

export function camelCase(words: readonly string[]): string {
  return words.map((word, at) => (at === 0 ? word : capitalised(word))).join('')
}

export function capitalised(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}
