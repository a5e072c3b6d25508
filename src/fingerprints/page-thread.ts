import { type Asked, openThread, type ThreadLimits } from '#threads/thread.ts'
import { type PageAnswer, type PageSight, sightOf } from './page-sight.ts'

const code = new URL('./page-worker.ts', import.meta.url)
/** The slowest page takes a fifth of a second on an idle machine. */
const usualLimits: ThreadLimits = { timeoutMs: 15_000, maxHeapMb: 256 }
/** So short a page takes some ten milliseconds, whatever it holds: less than a thread takes to start. */
const shortLength = 65_536

/**
 * What a page shows. A long one is looked at in a thread of its own, because whoever made it decides how long that
 * takes.
 */
export async function lookAtPage(
  answer: PageAnswer,
  signal: AbortSignal,
  limits: ThreadLimits = usualLimits,
): Promise<Asked<PageSight>> {
  if (answer.body.length <= shortLength) return { type: 'answered', answer: sightOf(answer) }
  const thread = openThread<PageAnswer, PageSight>(code, limits)
  try {
    return await thread.ask(answer, signal)
  } finally {
    await thread.close()
  }
}
