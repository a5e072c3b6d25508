import type { DialogueStep } from '#net/tcp/dialogue.ts'

/**
 * Plays a server's lines to a script without a connection. Returns `done`, the sentence that ends the dialogue, or
 * `waiting for …` when the lines do not suffice. A `null` line stands for the beginning of TLS, where it has to come.
 */
export function replay(steps: readonly DialogueStep[], lines: readonly (string | null)[]): string {
  const rest = [...lines]
  for (const step of steps) {
    const said: string[] = []
    for (;;) {
      const line = rest.shift()
      if (line === undefined) return `waiting for ${step.awaited}`
      if (line === null) return 'TLS begins too early'
      said.push(line)
      const reading = step.read(said)
      if (reading === 'finished') break
      if (reading !== 'unfinished') return reading.problem
    }
    if (step.isTlsNext === true && rest.shift() !== null) return 'TLS should begin'
  }
  return rest.length === 0 ? 'done' : 'lines are left'
}

/** Lines that a script sends, to a server that is asked from this address. */
export function sentBy(steps: readonly DialogueStep[], ownAddress = '192.0.2.1'): string[] {
  return steps.flatMap((step) => (step.send === null ? [] : [step.send(ownAddress)]))
}
