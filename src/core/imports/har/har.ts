// What a browser recorded of a visit, as one transaction.
import { createFindings } from '#core/imports/findings.ts'
import { parseImportJson, readAs } from '#core/imports/import-json.ts'
import { ImportError, type ImportedFile } from '#core/imports/imported.ts'
import { nameOf } from '#core/imports/monitor-parts.ts'
import { transactionSettings } from '#core/imports/requests/transaction.ts'
import { chosenExchanges, type SiteOf } from './har-exchanges.ts'
import { harSchema } from './har-rows.ts'
import { harSteps } from './har-steps.ts'

/** Throws ImportError. */
export function readHar(content: string, siteOf: SiteOf): ImportedFile {
  const { log } = readAs(parseImportJson(content), harSchema)
  const findings = createFindings()
  const exchanges = chosenExchanges(log.entries, { siteOf, findings })
  const { steps, secrets, ms, isComplete } = harSteps(exchanges, findings)
  const [first] = exchanges
  if (first === undefined || steps.length === 0)
    throw new ImportError('It holds no page, and no request of one, that a check could make.')
  const title = log.pages?.[0]?.title ?? ''
  const name = nameOf(/^https?:/i.test(title) ? null : title, first.url.host)
  findings.addMonitor({
    key: findings.keyOf('monitors', name),
    place: 'log',
    isPaused: !isComplete,
    history: [],
    input: { name, ...transactionSettings(steps, secrets), timeout_ms: timeoutFor(ms), contacts: null },
  })
  return findings.file()
}

const shortestMs = 10_000
const longestMs = 60_000

/** Three times what the browser took, in whole seconds. */
function timeoutFor(ms: number): number {
  return Math.min(longestMs, Math.max(shortestMs, Math.ceil((3 * ms) / 1000) * 1000))
}
