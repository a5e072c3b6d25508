import type { SettledImport } from '#operations/imports/import-project.ts'
import { StartError } from '#store/database/start-error.ts'
import type { PacedService } from '#cli/projects/paced-service.ts'
import type { Terminal } from '#cli/terminal.ts'

/** What one request may have. */
const atOnce = 1_000

type Address = { key: string; path: string; id: string }

export type Keeping = Pick<SettledImport, 'project' | 'calls'> & {
  /** The monitors of the project in the workspace, by their keys. */
  ids: ReadonlyMap<string, string>
}

/**
 * Has the monitors of the project answer at the addresses at which jobs called the other tool. False where monitors are
 * not there yet, or addresses lead to those of others.
 */
export async function keepAddresses(
  { project, calls, ids }: Keeping,
  paced: PacedService,
  { out }: Terminal,
): Promise<boolean> {
  if (calls.length === 0) return true
  const addresses = calls.flatMap(({ monitorKey: key, path }): Address[] => {
    const id = ids.get(key)
    return id === undefined ? [] : [{ key, path, id }]
  })
  let led = 0
  for (let at = 0; at < addresses.length; at += atOnce) {
    const batch = addresses.slice(at, at + atOnce)
    const refused = await lead(batch, paced)
    for (const { key } of refused)
      out.write(
        `! monitors.${key}: its address already belongs to a monitor of another workspace, or the monitor has too many addresses.\n`,
      )
    led += batch.length - refused.length
  }
  const missing = calls.length - addresses.length
  const left = missing === 0 ? '' : ` ${missing} have no monitor yet in the project ${project.id} of the workspace.`
  const told = led === 1 ? '1 address now reaches its monitor.' : `${led} addresses now reach their monitors.`
  out.write(`${told}${left}\n`)
  return led === calls.length
}

/** Those that the service does not take. It takes all of a request or nothing, so the others are sent again. */
async function lead(batch: readonly Address[], paced: PacedService): Promise<readonly Address[]> {
  const refused: Address[] = []
  let open = batch
  while (open.length > 0) {
    const addresses = open.map(({ path, id }) => ({ path, monitor_id: id }))
    const outcome = await paced.ask({ method: 'POST', path: 'call-addresses', body: { addresses } })
    if (outcome.type === 'done') return refused
    const blamed = new Set(outcome.type === 'refused' ? outcome.fields.map((field) => field.split('.')[1]) : [])
    const found = open.filter((_, at) => blamed.has(String(at)))
    if (found.length === 0) throw new StartError(outcome.problem)
    refused.push(...found)
    open = open.filter((address) => !found.includes(address))
  }
  return refused
}
