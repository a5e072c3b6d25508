import { claimVatId, setVatIdAnswer } from '#store/money/vat-ids.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'
import type { Chore } from '#jobs/runner/timer.ts'

const minute = 60_000
const asksAtOnce = 200
/** After so many questions in a row without an answer the service is taken to be away. */
const unansweredAtMost = 5

/** Asks the tax authorities about VAT ids that they have not confirmed, and now and then again about the others. */
export function vatIdChores(parts: Pick<JobParts, 'database' | 'confirmVatId' | 'now'>): Chore[] {
  const { confirmVatId: confirm } = parts
  if (confirm === null) return []
  return [{ name: 'confirm_vat_ids', everyMs: 10 * minute, run: (signal) => confirmAll({ ...parts, confirm }, signal) }]
}

type Asking = Pick<JobParts, 'database' | 'now'> & { confirm: NonNullable<JobParts['confirmVatId']> }

async function confirmAll({ database, confirm, now }: Asking, signal: AbortSignal): Promise<void> {
  let unanswered = 0
  for (let asks = 0; asks < asksAtOnce && unanswered < unansweredAtMost && !signal.aborted; asks += 1) {
    const asked = await claimVatId(database, now())
    if (asked === null) return
    const isConfirmed = await confirm(asked.vatId)
    unanswered = isConfirmed === null ? unanswered + 1 : 0
    if (isConfirmed !== null) await setVatIdAnswer(database, { ...asked, isConfirmed })
  }
}
